//! CPU time of this program and of the programs it has waited for, as Linux tells it: `proc(5)`, `/proc/pid/stat`.

/// Units of `/proc` in a second: fixed by the kernel for programs, on all of today's processors.
const TICKS_PER_S: f64 = 100.0;

/// Seconds so far, user and system; none where the system has no such file.
pub fn seconds() -> Option<f64> {
    read(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The sum of the fields 14 to 17: own user and system time, and those of children.
fn read(stat: &str) -> Option<f64> {
    // The second field is the name of the program in parentheses, which may have spaces and parentheses in it.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<f64>().ok()).sum::<Option<f64>>()?;
    Some(ticks / TICKS_PER_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_and_childrens_times_are_added() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 1 2 3 4 100 20 300 5 20 0 1 0 9\n";
        assert_eq!(read(stat), Some(4.25));
        assert_eq!(read("7 (a) S 1 7"), None);
        assert_eq!(read(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn time_goes_on_while_one_works() {
        let before = seconds().expect("Linux tells it");
        let mut sum = 0u64;
        while seconds().is_some_and(|now| now <= before) {
            sum = std::hint::black_box(sum.wrapping_mul(31).wrapping_add(7));
        }
        assert!(seconds() > Some(before));
    }
}
