//! Programs connect to a club with https. A proxy does the encryption, as in
//! docs/hosting.md.

use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use crate::running::{Folder, Running, http};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring::default_provider,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};
use wire::{AcceptedJson, GameJson, LobbyJson};

/// Returns the path of a test file: a certificate for `localhost`, or its key.
fn pem(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/club")
        .join(name)
}

/// Starts a proxy in front of the club. The proxy has the test certificate for `localhost`.
async fn proxy(club: SocketAddr) -> SocketAddr {
    let cert = CertificateDer::from_pem_file(pem("cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(pem("key.pem")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((line, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A client that does not trust the certificate closes the connection.
                let Ok(mut line) = acceptor.accept(line).await else {
                    return;
                };
                let mut behind = TcpStream::connect(club).await.unwrap();
                let _gone = copy_bidirectional(&mut line, &mut behind).await;
            });
        }
    });
    address
}

fn bot(url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    crate::running::plain(&mut command);
    command
        .args(["bot", "random", "--url", url, "--games", "1"])
        .args(["--seek", "wild16", "--time", "5+3"])
        .env("SSL_CERT_FILE", pem("cert.pem"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn bot_plays_over_https() {
    let folder = Folder::new();
    let club = Running::start(crate::running::serve(&folder), &folder);
    let port = proxy(club.address).await.port();
    let url = format!("https://localhost:{port}");

    // The client refuses a server whose name is not in the certificate, and a server without TLS.
    let said = refused(bot(&format!("https://127.0.0.1:{port}")));
    assert!(said.contains("is not that club's"), "{said}");
    let said = refused(bot(&format!("https://{}", club.address)));
    assert!(
        said.contains("perhaps the address begins with http://"),
        "{said}"
    );
    let mut stranger = bot(&url);
    stranger.env("SSL_CERT_FILE", pem("nobody.pem"));
    let said = refused(stranger);
    assert!(said.contains("SSL_CERT_FILE"), "{said}");

    let mut bot = bot(&url).spawn().unwrap();
    let mut said = BufReader::new(bot.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.starts_with("random plays as guest"), "{line}");
    let token = http::guest(club.address);
    let ask = |method: &str, path: &str, body: &str| {
        let (status, text) = http::ask(club.address, method, path, &token, body).unwrap();
        assert!(status < 300, "{path}: {text}");
        text
    };
    let seek = loop {
        let lobby: LobbyJson = serde_json::from_str(&ask("GET", "/api/lobby", "")).unwrap();
        match lobby.seeks.first() {
            Some(seek) => break seek.id.clone(),
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    let accepted = ask("POST", &format!("/api/seeks/{seek}/accept"), "");
    let accepted: AcceptedJson = serde_json::from_str(&accepted).unwrap();
    // Wait until the bot is present, then resign.
    loop {
        let game = ask("GET", &format!("/api/games/{}", accepted.game), "");
        let game: GameJson = serde_json::from_str(&game).unwrap();
        if game.white_here || game.black_here {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let tries = format!("/api/games/{}/tries", accepted.game);
    // If the bot moves before the resignation arrives, the club refuses the resignation, because
    // the player has not heard of the move yet. Then the resignation is sent again.
    for after in 1.. {
        let resign = format!(r#"{{"id":"end-{after}","after":{after},"text":"resign"}}"#);
        let said = http::ask(club.address, "POST", &tries, &token, &resign).unwrap();
        if said.0 < 300 {
            break;
        }
        assert!(after < 5, "{said:?}");
    }
    assert!(bot.wait().unwrap().success());
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("resigns"), "{rest}");
}
