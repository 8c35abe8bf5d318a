//! Objects that a page gives, field by field: unknown ones are refused by name, and so is what is no number.

use js_sys::{Array, Float32Array, Function, Object, Reflect, Uint8Array, Uint32Array};
use sentir::core::glam::Vec3;
use sentir::think::asset::nearest;
use sentir::think::value::Literal;
use wasm_bindgen::{JsCast, JsValue};

/// The largest whole number that JavaScript keeps exactly.
const WHOLE_MAX: f64 = 9_007_199_254_740_991.0;

/// The fields of an object; what it is goes into the sentences.
pub(crate) struct Fields<'a> {
    what: &'a str,
    value: JsValue,
}

impl<'a> Fields<'a> {
    /// The fields of a value that may have those `known` and no others.
    pub(crate) fn of(value: &JsValue, what: &'a str, known: &[&str]) -> Result<Fields<'a>, String> {
        if !value.is_object() || Array::is_array(value) {
            return Err(format!("{what} is {}: expected an object", kind(value)));
        }
        for key in Object::keys(value.unchecked_ref::<Object>()).iter().filter_map(|key| key.as_string()) {
            if !known.contains(&key.as_str()) {
                let hint = nearest(&key, known.iter().copied()).map_or_else(
                    || format!(": expected one of {}", known.join(", ")),
                    |name| format!(", did you mean `{name}`?"),
                );
                return Err(format!("{what} has an unknown field `{key}`{hint}"));
            }
        }
        Ok(Fields { what, value: value.clone() })
    }

    /// A field as it is; none if it is not there, undefined or null.
    pub(crate) fn find(&self, name: &str) -> Option<JsValue> {
        let value = Reflect::get(&self.value, &name.into()).ok()?;
        (!value.is_undefined() && !value.is_null()).then_some(value)
    }

    fn wrong(&self, name: &str, value: &JsValue, expected: &str) -> String {
        format!("`{name}` of {} is {}: expected {expected}", self.what, kind(value))
    }

    fn missing(&self, name: &str, expected: &str) -> String {
        format!("`{name}` of {} is missing: expected {expected}", self.what)
    }

    /// A finite number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.find(name) else { return Ok(None) };
        let number = value.as_f64().filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| self.wrong(name, &value, "a finite number"))
    }

    /// A finite number, or another if it is not there.
    pub(crate) fn float(&self, name: &str, stock: f32) -> Result<f32, String> {
        Ok(self.number(name)?.map_or(stock, |number| number as f32))
    }

    /// A whole number from 0 to `max`.
    pub(crate) fn whole(&self, name: &str, max: f64) -> Result<Option<u64>, String> {
        let Some(value) = self.find(name) else { return Ok(None) };
        whole(&value, max).map(Some).ok_or_else(|| self.wrong(name, &value, &format!("a whole number from 0 to {max}")))
    }

    /// A key, which must be there.
    pub(crate) fn key(&self) -> Result<u64, String> {
        self.whole("key", WHOLE_MAX)?.ok_or_else(|| self.missing("key", "a whole number"))
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, String> {
        let Some(value) = self.find(name) else { return Ok(None) };
        value.as_string().map(Some).ok_or_else(|| self.wrong(name, &value, "a text"))
    }

    /// A place: three finite numbers.
    pub(crate) fn place(&self, name: &str) -> Result<Option<Vec3>, String> {
        let Some(value) = self.find(name) else { return Ok(None) };
        place(&value).map(Some).ok_or_else(|| self.wrong(name, &value, "a place as in [1, 0, 2]"))
    }

    /// A place that must be there.
    pub(crate) fn place_of(&self, name: &str) -> Result<Vec3, String> {
        self.place(name)?.ok_or_else(|| self.missing(name, "a place as in [1, 0, 2]"))
    }

    /// A yes or no.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, String> {
        let Some(value) = self.find(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| self.wrong(name, &value, "true or false"))
    }

    /// A function.
    pub(crate) fn function(&self, name: &str) -> Result<Option<Function>, String> {
        let Some(value) = self.find(name) else { return Ok(None) };
        match value.dyn_into::<Function>() {
            Ok(function) => Ok(Some(function)),
            Err(value) => Err(self.wrong(name, &value, "a function")),
        }
    }

    /// A text or bytes, as bytes.
    pub(crate) fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let Some(value) = self.find(name) else { return Ok(None) };
        if let Some(text) = value.as_string() {
            return Ok(Some(text.into_bytes()));
        }
        match value.dyn_into::<Uint8Array>() {
            Ok(bytes) => Ok(Some(bytes.to_vec())),
            Err(value) => Err(self.wrong(name, &value, "a text or a Uint8Array")),
        }
    }

    /// Coordinates and numbers of corners, of typed arrays.
    pub(crate) fn triangles(&self) -> Result<(Vec<f32>, Vec<u32>), String> {
        let expected = |name: &str, what: &str| match self.find(name) {
            Some(value) => Err(self.wrong(name, &value, what)),
            None => Err(self.missing(name, what)),
        };
        let Some(positions) = self.find("positions").and_then(|it| it.dyn_into::<Float32Array>().ok()) else {
            return expected("positions", "a Float32Array");
        };
        let Some(indices) = self.find("indices").and_then(|it| it.dyn_into::<Uint32Array>().ok()) else {
            return expected("indices", "a Uint32Array");
        };
        Ok((positions.to_vec(), indices.to_vec()))
    }

    /// The own fields of an object within this one, by name, ascending: maps whose keys are the page's.
    pub(crate) fn entries(&self, name: &str) -> Result<Vec<(String, JsValue)>, String> {
        let Some(value) = self.find(name) else { return Ok(Vec::new()) };
        if !value.is_object() || Array::is_array(&value) {
            return Err(self.wrong(name, &value, "an object"));
        }
        let mut entries: Vec<(String, JsValue)> = Object::entries(value.unchecked_ref::<Object>())
            .iter()
            .filter_map(|pair| {
                let pair: Array = pair.dyn_into().ok()?;
                Some((pair.get(0).as_string()?, pair.get(1)))
            })
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(entries)
    }
}

/// A whole number from 0 to `max`.
pub(crate) fn whole(value: &JsValue, max: f64) -> Option<u64> {
    let number = value.as_f64()?;
    (number >= 0.0 && number <= max && number.fract() == 0.0).then_some(number as u64)
}

/// A key given by itself.
pub(crate) fn key(value: &JsValue) -> Result<u64, String> {
    let expected = || format!("the key is {}: expected a whole number from 0 to {WHOLE_MAX}", kind(value));
    whole(value, WHOLE_MAX).ok_or_else(expected)
}

/// Three finite numbers.
pub(crate) fn place(value: &JsValue) -> Option<Vec3> {
    let [x, y, z] = *numbers(value)?.as_slice() else { return None };
    let place = Vec3::new(x as f32, y as f32, z as f32);
    place.is_finite().then_some(place)
}

/// The numbers of a list or of a typed array of floats.
fn numbers(value: &JsValue) -> Option<Vec<f64>> {
    if let Some(list) = value.dyn_ref::<Float32Array>() {
        return Some(list.to_vec().into_iter().map(f64::from).collect());
    }
    let list: &Array = value.dyn_ref()?;
    list.iter().map(|number| number.as_f64()).collect()
}

/// A fact; none clears.
pub(crate) fn fact(name: &str, value: &JsValue) -> Result<Option<Literal>, String> {
    if value.is_null() || value.is_undefined() {
        return Ok(None);
    }
    let literal = match (value.as_bool(), value.as_f64(), value.as_string()) {
        (Some(flag), ..) => Some(Literal::Bool(flag)),
        (_, Some(number), _) if number.fract() == 0.0 && number.abs() <= WHOLE_MAX => Some(Literal::Int(number as i64)),
        (_, Some(number), _) => number.is_finite().then_some(Literal::Float(number)),
        (.., Some(text)) => Some(Literal::Text(text)),
        _ => numbers(value).filter(|all| all.iter().all(|number| number.is_finite())).map(Literal::Numbers),
    };
    let expected = || {
        format!(
            "the fact `{name}` is {}: expected true or false, a finite number, a text, a place or null",
            kind(value)
        )
    };
    literal.map(Some).ok_or_else(expected)
}

/// What a value is, in words.
pub(crate) fn kind(value: &JsValue) -> String {
    if let Some(number) = value.as_f64() {
        return number.to_string();
    }
    if let Some(text) = value.as_string() {
        return format!("the text '{}'", text.chars().take(40).collect::<String>());
    }
    match () {
        () if value.is_undefined() => "undefined",
        () if value.is_null() => "null",
        () if value.as_bool().is_some() => "a boolean",
        () if value.is_function() => "a function",
        () if Array::is_array(value) => "a list",
        () => "something else",
    }
    .to_owned()
}
