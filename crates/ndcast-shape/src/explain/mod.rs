//! Explanations for people: what a rule does with given shapes, or why not and what would work.
//!
//! An [`Explanation`] is text of at most the asked width: the operands aligned under the result, what the
//! broadcast costs, and the same broadcast in the other dialects; or the operands with a caret under what
//! clashes, and requests like it that work.

mod conditions;
mod cost;
mod elsewhere;
mod html;
mod picture;
mod suggest;

use std::fmt;

use crate::error::Error;
use crate::extent::Dim;
use crate::plan::Plan;
use crate::rule::{Answer, Request};
use crate::shape::Shape;
pub use cost::human_bytes;
pub use elsewhere::{Translation, elsewhere};
pub use suggest::{Suggestion, suggest};

/// What to call an element type in the dialects, and how wide it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its common name.
    pub name: &'static str,
    /// The bits of one element; `None` if it has no fixed size.
    pub bits: Option<u32>,
    /// Its name in StableHLO, if it has one.
    pub stablehlo: Option<&'static str>,
    /// Its name in HLO, if it has one.
    pub hlo: Option<&'static str>,
}

impl Element {
    /// 32-bit floats, if nothing else is said.
    pub const F32: Element =
        Element { name: "f32", bits: Some(32), stablehlo: Some("f32"), hlo: Some("f32") };
}

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Plain text.
    Plain,
    /// With the colours of ANSI terminals.
    Ansi,
}

/// How an explanation looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether it is coloured.
    pub paint: Paint,
    /// How many columns there are.
    pub width: usize,
    /// What the operands hold.
    pub element: Element,
}

impl Default for Style {
    fn default() -> Style {
        Style { paint: Paint::Plain, width: 80, element: Element::F32 }
    }
}

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Plain,
    Result,
    Quiet,
    Stretched,
    Undecided,
    Wrong,
    Good,
}

impl Paint {
    fn on(self, role: Role, text: &str) -> String {
        let code = match role {
            Role::Plain | Role::Result => return text.to_owned(),
            Role::Quiet => "2",
            Role::Stretched => "33",
            Role::Undecided => "35",
            Role::Wrong => "1;31",
            Role::Good => "32",
        };
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

const TOO_LITTLE: &str = "Too little is known to say how the operands are read.";

/// What is said first: what the rule says of the shapes.
struct Verdict {
    before: String,
    role: Role,
    words: String,
}

/// A request, its answer, and how to show both to a person.
///
/// ```
/// use ndcast_shape::{Request, explain::Explanation, rule::array_api};
/// let request = Request::new(&array_api::JOIN, vec!["5x4".parse()?, "4".parse()?]);
/// let text = Explanation::new(&request).to_string();
/// assert!(text.contains("5x4 and 4 broadcast to 5x4"));
/// assert!(text.contains("auto_broadcast=\"numpy\""));
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    request: &'a Request,
    result: Result<Answer, Error>,
    spelled: Vec<String>,
    target: String,
}

impl<'a> Explanation<'a> {
    /// Answers the request.
    pub fn new(request: &'a Request) -> Explanation<'a> {
        let spelled = request.shapes.iter().map(|shape| shape.brief().to_string()).collect();
        let target = request.target.as_ref().map_or(String::new(), |target| target.brief().to_string());
        Explanation { request, result: request.answer(), spelled, target }
    }

    /// Shows the shapes as the user wrote them: one text for each operand, and the target's if there is one.
    pub fn spelled(self, spelled: Vec<String>, target: Option<String>) -> Explanation<'a> {
        Explanation { spelled, target: target.unwrap_or_default(), ..self }
    }

    /// What the rule says.
    pub fn result(&self) -> &Result<Answer, Error> {
        &self.result
    }

    /// The explanation as text.
    pub fn text(&self, style: &Style) -> String {
        match &self.result {
            Ok(answer) => self.good(answer, style),
            Err(error) => self.bad(error, style),
        }
    }

    /// The same as a piece of HTML, with the style that it needs. It takes its colours from the page around it.
    ///
    /// ```
    /// use ndcast_shape::{Request, explain::{Explanation, Style}, rule::array_api};
    /// let request = Request::new(&array_api::JOIN, vec!["5x4".parse()?, "4".parse()?]);
    /// let html = Explanation::new(&request).html(&Style::default());
    /// assert!(html.contains("<th>operand 1</th><td class=\"new\">·</td><td class=\"plain\">4</td>"));
    /// # Ok::<(), ndcast_shape::Error>(())
    /// ```
    pub fn html(&self, style: &Style) -> String {
        html::of(self, &Style { paint: Paint::Plain, ..*style })
    }

    /// The picture and what it costs, without the same broadcast in other dialects; why it fails, without what would work.
    pub fn brief(&self, style: &Style) -> String {
        match &self.result {
            Ok(answer) => self.drawn(answer, style),
            Err(error) => self.refused(error, style),
        }
    }

    fn drawn(&self, answer: &Answer, style: &Style) -> String {
        let mut text = self.headline(style);
        let Some(plan) = answer.plan() else {
            text.push_str(&format!("\n{TOO_LITTLE}\n"));
            return text;
        };
        text.push('\n');
        text.push_str(&picture::of_plan(plan, self.request, &self.spelled, style).text(style));
        text.push_str(&conditions::of_plan(plan, self.request));
        text.push('\n');
        text.push_str(&cost::of_plan(plan, self.request, style));
        text
    }

    fn good(&self, answer: &Answer, style: &Style) -> String {
        let mut text = self.drawn(answer, style);
        let Some(plan) = answer.plan() else { return text };
        let (title, lines) = self.others(plan, style);
        text.push('\n');
        text.push_str(&wrap(&title, style.width));
        text + &lines
    }

    /// A sentence about the same broadcast in the other dialects, and how they write it.
    fn others(&self, plan: &Plan<Dim>, style: &Style) -> (String, String) {
        let translations = elsewhere(self.request, &style.element);
        let title = if (0..plan.operand_count()).all(|operand| plan.reads_as_it_is(operand)) {
            return (
                "Nothing is broadcast: every dialect takes the operands as they are.".to_owned(),
                String::new(),
            );
        } else if translations.is_empty() {
            "There are too many operands or axes to write it in the other dialects here.".to_owned()
        } else {
            format!("The same broadcast elsewhere ({})", self.who(plan))
        };
        (title, translations.iter().map(|translation| translation.text(style)).collect())
    }

    fn refused(&self, error: &Error, style: &Style) -> String {
        if error.kind().is_usage() {
            return format!("{error}\n");
        }
        let mut text = self.headline(style);
        text.push('\n');
        text.push_str(&picture::of_error(error, self.request, &self.spelled, style).text(style));
        text.push('\n');
        text.push_str(&wrap(&error.kind().to_string(), style.width));
        text
    }

    fn bad(&self, error: &Error, style: &Style) -> String {
        let mut text = self.refused(error, style);
        if error.kind().is_usage() {
            return text;
        }
        let suggestions = suggest(self.request);
        if !suggestions.is_empty() {
            text.push_str("\nWhat would work\n");
        }
        text.push_str(&Suggestion::text(&suggestions, style));
        text
    }

    /// What the letters in a translation are.
    fn who(&self, plan: &Plan<Dim>) -> String {
        if let Some(operand) = elsewhere::broadcast_operand(self.request) {
            return format!("{} is operand {operand}", elsewhere::name(operand));
        }
        let names: Vec<String> = (0..plan.operand_count()).map(elsewhere::name).collect();
        match names.len() {
            1 => format!("{} is operand 0", names[0]),
            2 => format!("{} are the operands; Add is any operation", names.join(", ")),
            _ => format!("{} are the operands", names.join(", ")),
        }
    }

    /// The rule, the shapes, and the verdict, with its last words in colour if they fit on the line.
    fn headline(&self, style: &Style) -> String {
        let Verdict { before, role, words } = self.verdict();
        let before = format!("{}: {before}", self.request.rule.name);
        if before.chars().count() + words.chars().count() > style.width {
            return wrap(&format!("{before}{words}"), style.width);
        }
        format!("{before}{}\n", style.paint.on(role, &words))
    }

    fn verdict(&self) -> Verdict {
        let one = self.request.shapes.len() == 1;
        let subject = self.subject();
        match &self.result {
            Ok(answer) => Verdict {
                before: format!("{subject} {} to ", if one { "broadcasts" } else { "broadcast" }),
                role: Role::Good,
                words: answer.shape().brief().to_string(),
            },
            Err(_) => {
                let mut words = if one { "does not broadcast" } else { "do not broadcast" }.to_owned();
                if self.request.target.is_some() {
                    words.push_str(&format!(" to {}", self.target));
                }
                if let Some(axes) = &self.request.axes {
                    words.push_str(&format!(" with axes {}", crate::shape::List(axes)));
                }
                if let Some(axis) = self.request.axis {
                    words.push_str(&format!(" from axis {axis} on"));
                }
                Verdict { before: format!("{subject} "), role: Role::Wrong, words }
            }
        }
    }

    /// `8x1 and 3`, as the user wrote them.
    fn subject(&self) -> String {
        let mut text = String::new();
        let count = self.spelled.len();
        for (position, shape) in self.spelled.iter().enumerate() {
            match position {
                0 => {}
                _ if position >= 8 => {
                    text.push_str(&format!(" and {} more", count - position));
                    break;
                }
                _ if position + 1 == count => text.push_str(" and "),
                _ => text.push_str(", "),
            }
            text.push_str(shape);
            if let (0, Some(index)) = (position, &self.request.index) {
                let parts: Vec<String> = index.iter().map(ToString::to_string).collect();
                text.push_str(&format!("[{}]", parts.join(", ")));
            }
        }
        if count == 0 { "no operands".to_owned() } else { text }
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&Style::default()))
    }
}

/// Breaks a sentence into lines of at most `width` columns.
fn wrap(sentence: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in sentence.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines.push('\n');
    lines
}

/// Whether shapes are few and short enough to look for suggestions and translations.
fn is_small(shapes: &[Shape]) -> bool {
    shapes.len() <= 8 && shapes.iter().all(|shape| shape.rank().is_some_and(|rank| rank <= 12))
}
