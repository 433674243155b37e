//! The report: one HTML file that holds its pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A page that is being written.
pub(super) struct ReportPage {
    body: String,
}

impl ReportPage {
    pub(super) fn new(title: &str, lead: &str) -> Self {
        let mut page = Self { body: String::new() };
        page.line(&format!("<h1>{}</h1>", escaped(title)));
        page.line(&format!("<p class=\"lead\">{}</p>", escaped(lead)));
        page
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.line(&format!("<h2>{}</h2>", escaped(text)));
    }

    pub(super) fn paragraph(&mut self, text: &str) {
        self.line(&format!("<p>{}</p>", escaped(text)));
    }

    /// Pictures with what is said below, which is also their text for those who cannot see them.
    pub(super) fn figures(&mut self, figures: impl IntoIterator<Item = (Vec<u8>, &'static str)>) {
        self.line("<div class=\"row\">");
        for (bytes, caption) in figures {
            let kind = if bytes.starts_with(b"GIF") { "gif" } else { "png" };
            let (data, caption) = (STANDARD.encode(bytes), escaped(caption));
            self.line(&format!(
                "<figure><img alt=\"{caption}\" src=\"data:image/{kind};base64,{data}\"><figcaption>{caption}</figcaption></figure>"
            ));
        }
        self.line("</div>");
    }

    pub(super) fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let cell = |tag: &str, text: &str| format!("<{tag}>{}</{tag}>", escaped(text));
        let header: String = header.iter().map(|text| cell("th", text)).collect();
        self.line(&format!("<table><tr>{header}</tr>"));
        for row in rows {
            let row: String = row.iter().map(|text| cell("td", text)).collect();
            self.line(&format!("<tr>{row}</tr>"));
        }
        self.line("</table>");
    }

    /// A long table, folded up below its title.
    pub(super) fn folded_table(&mut self, title: &str, header: &[&str], rows: &[Vec<String>]) {
        self.line(&format!("<details><summary>{}</summary>", escaped(title)));
        self.table(header, rows);
        self.line("</details>");
    }

    pub(super) fn commands(&mut self, commands: &[&str]) {
        self.line(&format!("<pre>{}</pre>", escaped(&commands.join("\n"))));
    }

    pub(super) fn finish(&self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Sinew demo</title>\n<style>{STYLE}</style></head>\n<body><main>\n{}</main></body></html>\n",
            self.body
        )
    }

    fn line(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }
}

const STYLE: &str = "\
body{margin:0;background:#f4f5f6;color:#1c2024;font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif}\
main{max-width:1180px;margin:0 auto;padding:48px 24px 96px}\
h1{font-size:40px;letter-spacing:-.02em;margin:0 0 8px}\
h2{font-size:24px;letter-spacing:-.01em;margin:56px 0 8px}\
.lead{font-size:19px;color:#4b545d;max-width:44em}\
p{max-width:48em}\
.row{display:flex;flex-wrap:wrap;gap:16px;margin:16px 0}\
figure{margin:0;flex:1 1 320px;background:#fff;border-radius:10px;overflow:hidden;box-shadow:0 1px 3px #0002}\
figure img{display:block;width:100%;height:auto}\
figcaption{padding:10px 14px;font-size:14px;color:#5a636c}\
table{border-collapse:collapse;margin:16px 0;background:#fff;border-radius:10px;overflow:hidden;box-shadow:0 1px 3px #0002}\
td,th{padding:7px 16px;text-align:left;font-size:14px;border-bottom:1px solid #eceef0}\
th{color:#5a636c;font-weight:600}\
summary{cursor:pointer;color:#4b545d}\
pre{background:#1c2024;color:#e8ecef;padding:16px 18px;border-radius:10px;overflow:auto;font-size:14px}";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_pictures_are_inside() {
        let mut page = ReportPage::new("a < b", "\"lead\"");
        page.figures([(vec![1, 2, 3], "one & two")]);
        let html = page.finish();
        assert!(html.contains("a &lt; b") && html.contains("one &amp; two") && html.contains("base64,AQID"));
        assert!(!html.contains("http"), "the report needs no network");
    }
}
