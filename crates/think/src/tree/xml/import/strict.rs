//! Nothing is dropped silently: elements and attributes that are not read, and trees that hold themselves, are refused.

use roxmltree::Node as Element;
use sentir_asset::Refusal;

use super::{Reader, is_subtree};

/// What stands around trees.
const OUTER: [&str; 2] = ["BehaviorTree", "TreeNodesModel"];
/// Attributes of the nodes that are known here, beside `ID`, `name` and those of editors, which begin with `_`.
const ATTRIBUTES: [(&str, &[&str]); 23] = [
    ("Sequence", &[]),
    ("Fallback", &[]),
    ("ReactiveSequence", &[]),
    ("ReactiveFallback", &[]),
    ("Parallel", &["success_count", "failure_count"]),
    ("Inverter", &[]),
    ("ForceSuccess", &[]),
    ("ForceFailure", &[]),
    ("KeepRunningUntilFailure", &[]),
    ("Repeat", &["num_cycles"]),
    ("RetryUntilSuccessful", &["num_attempts"]),
    ("RetryUntilSuccesful", &["num_attempts"]),
    ("Timeout", &["msec"]),
    ("Delay", &["delay_msec"]),
    ("RunOnce", &["then_skip"]),
    ("AlwaysSuccess", &[]),
    ("AlwaysFailure", &[]),
    ("Sleep", &["msec"]),
    ("SetBlackboard", &["output_key", "value"]),
    ("UnsetBlackboard", &["key"]),
    ("ScriptCondition", &["code"]),
    ("BehaviorTree", &[]),
    ("root", &["BTCPP_format", "main_tree_to_execute", "project_name"]),
];
/// Nodes without children: what stands in them would be lost.
const LEAVES: [&str; 8] = [
    "AlwaysSuccess",
    "AlwaysFailure",
    "Sleep",
    "SetBlackboard",
    "UnsetBlackboard",
    "ScriptCondition",
    "SubTree",
    "SubTreePlus",
];

impl<'a, 'input> Reader<'a, 'input> {
    /// Refuses what would not be read.
    pub(super) fn check_nothing_is_dropped(&self, root: Element<'a, 'input>) -> Result<(), Refusal> {
        self.check_attributes(root)?;
        for outer in root.children().filter(Element::is_element) {
            match outer.tag_name().name() {
                "include" => {
                    let sentence = "`include` names another file, which is not read: expected its trees in this one";
                    return Err(self.wrong(outer, sentence));
                }
                tag if !OUTER.contains(&tag) => {
                    return Err(Refusal::unknown(self.place(outer), "element beside the trees", tag, OUTER));
                }
                "BehaviorTree" => outer.descendants().filter(Element::is_element).try_for_each(|node| {
                    self.check_attributes(node)?;
                    self.check_childless(node)
                })?,
                _ => {}
            }
        }
        Ok(())
    }

    fn check_attributes(&self, node: Element<'a, 'input>) -> Result<(), Refusal> {
        let tag = node.tag_name().name();
        let Some((_, known)) = ATTRIBUTES.iter().find(|(one, _)| *one == tag) else { return Ok(()) };
        let is_known = |name: &str| matches!(name, "ID" | "name") || name.starts_with('_') || known.contains(&name);
        match node.attributes().find(|one| !is_known(one.name())) {
            None => Ok(()),
            Some(other) if known.is_empty() => {
                Err(self.wrong(node, format!("`{tag}` has an attribute `{}`: expected none but `name`", other.name())))
            }
            Some(other) => {
                Err(Refusal::unknown(self.place(node), "attribute of this node", other.name(), known.iter().copied()))
            }
        }
    }

    fn check_childless(&self, node: Element<'a, 'input>) -> Result<(), Refusal> {
        let tag = node.tag_name().name();
        match node.children().find(Element::is_element).filter(|_| LEAVES.contains(&tag)) {
            None => Ok(()),
            Some(child) => Err(self.wrong(child, format!("`{tag}` has no children: expected this node beside it"))),
        }
    }

    /// Refuses trees that come back to themselves: they would have no end.
    pub(super) fn check_circles(&self, trees: &[Element<'a, 'input>]) -> Result<(), Refusal> {
        let id = |tree: &Element<'a, 'input>| tree.attribute("ID").unwrap_or_default();
        let used = |tree: Element<'a, 'input>| {
            let subtrees = tree.descendants().filter(|node| is_subtree(node.tag_name().name()));
            subtrees.filter_map(|node| {
                let name = node.attribute("ID")?;
                Some((node, trees.iter().position(|one| id(one) == name)?))
            })
        };
        // Trees that are known to lead out again; a tree is done when all it uses are.
        let mut is_done = vec![false; trees.len()];
        for _ in 0..trees.len() {
            for (place, &tree) in trees.iter().enumerate() {
                is_done[place] = is_done[place] || used(tree).all(|(_, other)| is_done[other]);
            }
        }
        let Some(place) = is_done.iter().position(|is_done| !is_done) else { return Ok(()) };
        let (node, other) = match used(trees[place]).find(|&(_, other)| !is_done[other]) {
            Some(found) => found,
            None => return Ok(()),
        };
        let (one, other) = (id(&trees[place]), id(&trees[other]));
        Err(self.wrong(node, format!("the tree `{one}` holds `{other}`, which holds it again: expected no circle")))
    }
}
