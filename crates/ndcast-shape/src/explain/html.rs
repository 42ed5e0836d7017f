//! An explanation as a piece of HTML: the same rows, costs and suggestions as the text has, with colours.

use super::picture::{Grid, Picture};
use super::{Explanation, Role, Style, Suggestion, TOO_LITTLE, conditions, cost, picture, suggest};

const STYLE: &str = include_str!("style.css");

/// `style` is for the text between the rows, which is not coloured.
pub(super) fn of(explanation: &Explanation<'_>, style: &Style) -> String {
    let request = explanation.request;
    let spelled = &explanation.spelled;
    let verdict = explanation.verdict();
    let headline = format!(
        "<div><span class=\"head\">{}</span>: {}<span class=\"{}\">{}</span></div>",
        request.rule.name,
        escaped(&verdict.before),
        class(verdict.role),
        escaped(&verdict.words)
    );
    let body = match &explanation.result {
        Ok(answer) => match answer.plan() {
            None => headline + &block("div", "quiet", TOO_LITTLE),
            Some(plan) => {
                let (title, lines) = explanation.others(plan, style);
                let others = if lines.is_empty() {
                    block("div", "quiet", &title)
                } else {
                    let lines = block("pre", "", &lines);
                    format!(
                        "<details><summary class=\"quiet\">{}</summary>{lines}</details>",
                        escaped(&title)
                    )
                };
                headline
                    + &drawn(&picture::of_plan(plan, request, spelled, style))
                    + &block("pre", "bare", &conditions::of_plan(plan, request))
                    + &block("pre", "bare", &cost::of_plan(plan, request, style))
                    + &others
            }
        },
        Err(error) if error.kind().is_usage() => block("div", "wrong", &error.to_string()),
        Err(error) => {
            let suggestions = suggest(request);
            let title = if suggestions.is_empty() { "" } else { "What would work" };
            headline
                + &drawn(&picture::of_error(error, request, spelled, style))
                + &block("div", "wrong", &error.kind().to_string())
                + &block("div", "head", title)
                + &block("pre", "bare", &Suggestion::text(&suggestions, style))
        }
    };
    format!("<style>{STYLE}</style><div class=\"ndcast\">{body}</div>")
}

fn drawn(picture: &Picture) -> String {
    let table = picture.grid.as_ref().map_or(String::new(), table);
    let class = if table.is_empty() { "bare" } else { "bare quiet" };
    table + &block("pre", class, &picture.below)
}

fn table(grid: &Grid) -> String {
    let mut html = format!("<table><thead><tr><th>{}</th>", grid.corner);
    for &column in &grid.columns {
        let class = if grid.has_caret(column) { " class=\"wrong\"" } else { "" };
        html.push_str(&format!("<th{class}>{}</th>", Grid::number(column)));
    }
    html.push_str("<th></th></tr></thead><tbody>");
    for row in &grid.rows {
        html.push_str(&format!("<tr><th>{}</th>", escaped(&row.label)));
        for (role, cell) in &row.cells {
            html.push_str(&block("td", class(*role), cell));
        }
        html.push_str(&format!("<th>{}</th></tr>", escaped(&row.note)));
    }
    html + "</tbody></table>"
}

fn class(role: Role) -> &'static str {
    match role {
        Role::Plain => "plain",
        Role::Result => "result",
        Role::Quiet => "new",
        Role::Stretched => "stretched",
        Role::Undecided => "undecided",
        Role::Wrong => "wrong",
        Role::Good => "good",
    }
}

/// An element with this text; nothing if there is none.
fn block(element: &str, class: &str, text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() {
        return String::new();
    }
    format!("<{element} class=\"{class}\">{}</{element}>", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;
    use crate::rule::{array_api, openvino};

    #[test]
    fn it_says_what_the_text_says() {
        let shapes = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        let good = Request::new(&array_api::JOIN, shapes(&["Nx1", "1..4x3"]));
        let html = Explanation::new(&good).html(&Style::default());
        assert!(html.contains("only if axis 0 of operand 1"), "{html}");
        assert!(html.contains("<td class=\"stretched\">1→3</td>") && html.contains("<details>"), "{html}");
        let bad =
            Request { axis: Some(1), ..Request::new(&openvino::ELTWISE_PDPD, shapes(&["2x3x4", "3x5"])) };
        let html = Explanation::new(&bad).html(&Style::default());
        assert!(html.contains("<td class=\"wrong\">5</td>") && html.contains("only 4 or 1 fits"), "{html}");
        let bad = Request::new(&array_api::JOIN, shapes(&["2x3", "2"]));
        let html = Explanation::new(&bad).html(&Style::default());
        assert!(html.contains("What would work") && html.contains("2x1"), "{html}");
        let named = Request::new(&array_api::JOIN, shapes(&["Nx3", "2"]));
        let named = Explanation::new(&named).spelled(vec!["<N>x3".to_owned(), "2".to_owned()], None);
        let html = named.html(&Style::default());
        assert!(html.contains("&lt;N&gt;x3") && !html.contains("<N>"), "{html}");
    }
}
