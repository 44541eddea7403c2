//! The OpenAPI document that describes the API, and a page generated from it.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    extract::State,
    http::header,
    response::{Html, IntoResponse, Response},
};
use serde_json::{Value, json};
use utoipa::{
    Modify, OpenApi,
    openapi::{
        self,
        security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme},
    },
};
use utoipa_axum::router::OpenApiRouter;
use wire::{ClientSays, RefusedJson, ServerSays};

use crate::{app::App, reader::cookie_name, routes::api};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Kriegspiel Umpire: the club",
        description = "This API can do everything that the web page can do. A refused request is answered with \
                       `{\"refused\": CODE, \"reason\": CODE, \"args\": {}, \"why\": TEXT}`. A program sends its token as \
                       `authorization: Bearer TOKEN`. docs/api.md explains all, \
                       docs/socket.md the messages of the socket; examples/curl-game.sh plays a game.",
        license(name = "GPL-3.0-or-later", identifier = "GPL-3.0-or-later"),
    ),
    components(schemas(ClientSays, ServerSays, RefusedJson)),
    modifiers(&Tokens)
)]
struct Head;

struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(
            "bearer",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        );
        components.add_security_scheme(
            "cookie",
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
                cookie_name(false),
                "If people reach the club by https, the name of the cookie is `__Host-session`, and \
                 cookies with other names are ignored.",
            ))),
        );
    }
}

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let (_, mut document) = OpenApiRouter::with_openapi(Head::openapi())
        .merge(api())
        .split_for_parts();
    document.info.version = wire::PROTOCOL.to_string();
    let mut document = serde_json::to_value(document).unwrap_or_default();
    describe_responses(&mut document);
    name_variants(&mut document);
    document
});

/// Gives the variants of each tagged union a name and a discriminator, so that generated clients
/// keep the union and its variants as types.
fn name_variants(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    let Some(schemas) = schemas else { return };
    let mut named = serde_json::Map::new();
    for (name, schema) in schemas.iter_mut() {
        let Some(variants) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else {
            continue;
        };
        for tag in ["type", "kind"] {
            let value = |variant: &Value| {
                let value = &variant["properties"][tag]["enum"][0];
                value.as_str().map(str::to_owned)
            };
            let Some(values) = variants.iter().map(value).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let mut mapping = serde_json::Map::new();
            for (variant, value) in variants.iter_mut().zip(values) {
                let words = value.split('-').map(capital).collect::<String>();
                let reference = format!("#/components/schemas/{name}{words}");
                let schema = std::mem::replace(variant, json!({"$ref": reference}));
                named.insert(format!("{name}{words}"), schema);
                mapping.insert(value, reference.into());
            }
            schema["discriminator"] = json!({"propertyName": tag, "mapping": mapping});
            break;
        }
    }
    schemas.extend(named);
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

/// Adds a description to every response, because OpenAPI requires one.
fn describe_responses(document: &mut Value) {
    let operations = values(&mut document["paths"]).flat_map(values);
    for operation in operations {
        let responses = operation["responses"].as_object_mut();
        for (status, response) in responses.into_iter().flatten() {
            let text = match status.as_str() {
                "201" => "Created.",
                "204" => "Done. The body is empty.",
                "default" => "Refused: a code and the reason.",
                _ => "The answer.",
            };
            response["description"] = text.into();
        }
    }
}

fn values(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    let object = value.as_object_mut();
    object.into_iter().flatten().map(|(_, value)| value)
}

static PAGE: LazyLock<String> = LazyLock::new(|| page_of(&DOCUMENT));

/// Returns the OpenAPI document.
pub fn described() -> &'static Value {
    &DOCUMENT
}

/// The document as text: first for a club that is reached by http, then for a club that is reached
/// by https.
static TEXTS: LazyLock<[Bytes; 2]> = LazyLock::new(|| {
    [false, true].map(|https| {
        let mut document = DOCUMENT.clone();
        document["components"]["securitySchemes"]["cookie"]["name"] = cookie_name(https).into();
        Bytes::from(document.to_string())
    })
});

/// This document
#[utoipa::path(get, path = "/api/openapi.json", tag = "club",
    responses((status = 200, body = Object)))]
pub async fn document(State(app): State<App>) -> Response {
    let text = TEXTS[usize::from(app.config().https())].clone();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// This document as a page
#[utoipa::path(get, path = "/api", tag = "club",
    responses((status = 200, body = String, content_type = "text/html")))]
pub async fn page() -> Html<&'static str> {
    Html(&PAGE)
}

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
<title>Kriegspiel: the API of the club</title>\n\
<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"/api/style.css\">\n</head>\n<body>\n<main>\n";

fn page_of(document: &Value) -> String {
    let mut page = String::from(HEAD);
    let info = &document["info"];
    page.push_str(&format!(
        "<h1>{}</h1>\n<p>{}</p>\n<p>The same for programs: <a href=\"/api/openapi.json\">\
         /api/openapi.json</a>.</p>\n",
        text(&info["title"]),
        text(&info["description"])
    ));
    for tag in [
        "people",
        "account",
        "lobby",
        "games",
        "messages",
        "socket",
        "finished games",
        "problems",
        "studies",
        "rules",
        "club",
    ] {
        page.push_str(&format!("<section>\n<h2>{tag}</h2>\n"));
        for (path, item) in pairs(&document["paths"]) {
            for (method, operation) in pairs(item) {
                if operation["tags"][0] == tag {
                    page.push_str(&route(path, method, operation));
                }
            }
        }
        page.push_str("</section>\n");
    }
    page.push_str("<section>\n<h2>messages and bodies</h2>\n");
    for (name, schema) in pairs(&document["components"]["schemas"]) {
        page.push_str(&format!(
            "<section id=\"{0}\">\n<h3>{0}</h3>\n",
            escaped(name)
        ));
        page.push_str(&described_schema(schema));
        page.push_str("</section>\n");
    }
    page.push_str("</section>\n</main>\n</body>\n</html>\n");
    page
}

fn route(path: &str, method: &str, operation: &Value) -> String {
    let mut html = format!(
        "<section>\n<h3><code>{} {}</code></h3>\n<p>{}",
        method.to_uppercase(),
        escaped(path),
        text(&operation["summary"])
    );
    if let Some(more) = operation["description"].as_str() {
        html.push_str(&format!(". {}", prose(more)));
    }
    html.push_str("</p>\n<ul>\n");
    let needs = match operation["security"].as_array() {
        None => "open to everybody",
        Some(ways) if ways.contains(&json!({})) => {
            "open to everybody; a reader who is signed in sees their own view"
        }
        Some(_) => "you must be signed in",
    };
    html.push_str(&format!("<li>{needs}</li>\n"));
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        html.push_str(&format!(
            "<li><code>{}</code> {}</li>\n",
            text(&parameter["name"]),
            text(&parameter["description"])
        ));
    }
    for (kind, content) in pairs(&operation["requestBody"]["content"]) {
        html.push_str(&format!(
            "<li>body: {} ({})</li>\n",
            shape(&content["schema"]),
            escaped(kind)
        ));
    }
    for (status, response) in pairs(&operation["responses"]) {
        let mut all: Vec<String> = pairs(&response["content"])
            .map(|(kind, content)| format!("{} ({})", shape(&content["schema"]), escaped(kind)))
            .collect();
        if all.is_empty() {
            all.push("nothing".to_owned());
        }
        let status = if status == "default" { "else" } else { status };
        html.push_str(&format!(
            "<li>{}: {}</li>\n",
            escaped(status),
            all.join(", ")
        ));
    }
    html.push_str("</ul>\n</section>\n");
    html
}

fn described_schema(schema: &Value) -> String {
    let mut html = String::new();
    if let Some(about) = schema["description"].as_str() {
        html.push_str(&format!("<p>{}</p>\n", prose(about)));
    }
    if let Some(values) = schema["enum"].as_array() {
        let all: Vec<String> = values
            .iter()
            .map(|value| format!("<code>{}</code>", escaped(&value.to_string())))
            .collect();
        html.push_str(&format!("<p>{}</p>\n", all.join(" ")));
    }
    if schema["properties"].is_object() {
        html.push_str("<table>\n");
        for (name, property) in pairs(&schema["properties"]) {
            html.push_str(&format!(
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
                escaped(name),
                shape(property),
                text(&property["description"])
            ));
        }
        html.push_str("</table>\n");
    }
    for one in schema["oneOf"].as_array().into_iter().flatten() {
        match one["$ref"].as_str() {
            Some(_) => html.push_str(&format!("<p>{}</p>\n", shape(one))),
            None => html.push_str(&described_schema(one)),
        }
    }
    html
}

/// Returns the type of a value as HTML, with links to named types.
fn shape(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = escaped(reference.rsplit('/').next().unwrap_or(reference));
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    for (key, between) in [("oneOf", " or "), ("allOf", " and "), ("anyOf", " or ")] {
        if let Some(all) = schema[key].as_array() {
            return all.iter().map(shape).collect::<Vec<_>>().join(between);
        }
    }
    if let Some([value]) = schema["enum"].as_array().map(Vec::as_slice) {
        return format!("<code>{}</code>", escaped(&value.to_string()));
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", shape(&schema["items"])),
        Value::String(kind) => escaped(kind),
        Value::Array(kinds) => {
            let all: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
            escaped(&all.join(" or "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "anything".to_owned(),
    }
}

fn pairs(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let object = value.as_object();
    object
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.as_str(), value))
}

fn text(value: &Value) -> String {
    prose(value.as_str().unwrap_or_default())
}

/// Converts a sentence of the document to HTML. Text between backticks becomes code. A link to an
/// item of the source becomes the name of that item.
fn prose(text: &str) -> String {
    let plain = escaped(text).replace("[`", "`").replace("`]", "`");
    let parts = plain.split('`').enumerate();
    parts
        .map(|(at, part)| match at % 2 {
            0 => part.to_owned(),
            _ => format!("<code>{part}</code>"),
        })
        .collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_described_and_query_parameters_declared() {
        for (path, item) in pairs(&DOCUMENT["paths"]) {
            for (method, operation) in pairs(item) {
                for (status, response) in pairs(&operation["responses"]) {
                    let description = response["description"].as_str();
                    assert!(
                        description.is_some_and(|text| !text.is_empty()),
                        "{method} {path}: {status}"
                    );
                }
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    let name = parameter["name"].as_str().unwrap_or_default();
                    let in_path = path.contains(&format!("{{{name}}}"));
                    let place = if in_path { "path" } else { "query" };
                    assert_eq!(parameter["in"], place, "{method} {path}: {name}");
                }
            }
        }
    }

    #[test]
    fn variants_of_tagged_unions_have_names_and_a_discriminator() {
        let schemas = &DOCUMENT["components"]["schemas"];
        for (name, tag, variant) in [
            ("HeardJson", "kind", "DrawOffer"),
            ("ServerSays", "type", "LobbyChanges"),
            ("ClientSays", "type", "Try"),
            ("TimeControlJson", "kind", "Fischer"),
            ("FactJson", "kind", "OneOf"),
        ] {
            let discriminator = &schemas[name]["discriminator"];
            assert_eq!(discriminator["propertyName"], tag, "{name}");
            assert!(
                schemas[format!("{name}{variant}")]["properties"].is_object(),
                "{name}"
            );
            let variants = schemas[name]["oneOf"].as_array().unwrap();
            let mapped = discriminator["mapping"].as_object().unwrap();
            assert_eq!(variants.len(), mapped.len(), "{name}");
            for reference in mapped.values() {
                let target = reference.as_str().and_then(|text| text.rsplit('/').next());
                assert!(schemas[target.unwrap()].is_object(), "{reference}");
            }
        }
    }

    #[test]
    fn backticks_and_links_become_html_code() {
        assert_eq!(
            prose("As for [`A::b`], `<c>` & so on"),
            "As for <code>A::b</code>, <code>&lt;c&gt;</code> &amp; so on"
        );
    }

    #[test]
    fn page_contains_no_backticks_or_paths_of_the_source() {
        assert!(!PAGE.contains('`'), "a backtick has no partner");
    }
}
