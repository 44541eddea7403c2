//! TLS connections to a club with an https address.

use std::{io, sync::Arc};

use anyhow::{anyhow, ensure};
use server::{Dial, Stream};
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        self, CertificateError, ClientConfig, RootCertStore, crypto::ring::default_provider,
        pki_types::ServerName,
    },
};

/// TLS settings for one club, with the certificate authorities that this
/// machine trusts.
#[derive(Clone)]
pub(super) struct TlsClient {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl TlsClient {
    /// Creates the settings for the club on the machine with this name or address.
    ///
    /// # Errors
    /// `machine` is not a valid name, or no trusted certificate was found.
    pub(super) fn new(machine: &str) -> anyhow::Result<TlsClient> {
        let bare = machine.trim_start_matches('[').trim_end_matches(']');
        let name = ServerName::try_from(bare.to_owned())
            .map_err(|_| anyhow!("`{machine}` is not a valid name of a machine"))?;
        Ok(TlsClient {
            connector: connector()?,
            name,
        })
    }

    /// Opens a TLS connection over a TCP connection.
    ///
    /// # Errors
    /// The server did not prove that it belongs to this name or address.
    pub(super) async fn connect(&self, stream: TcpStream) -> anyhow::Result<TlsStream<TcpStream>> {
        let connected = self.connector.connect(self.name.clone(), stream).await;
        connected.map_err(|error| {
            let hint = hint(&error);
            anyhow!(error).context(hint)
        })
    }
}

/// Returns TLS settings with the certificate authorities that this machine trusts.
fn connector() -> anyhow::Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    // Certificates that cannot be parsed are skipped.
    let (trusted, _) =
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    ensure!(
        trusted > 0,
        "no certificates are found that this machine trusts: install them (on Debian the \
         package ca-certificates), or name a file of them in SSL_CERT_FILE"
    );
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config).into())
}

/// Returns what connects the club to push services.
///
/// # Errors
/// No trusted certificate was found.
pub(super) fn dial() -> anyhow::Result<Dial> {
    let connector = connector()?;
    Ok(Arc::new(move |host| {
        let connector = connector.clone();
        Box::pin(async move {
            let name = ServerName::try_from(host.clone()).map_err(io::Error::other)?;
            let stream = server::connect_public(&host).await?;
            let secured: Box<dyn Stream> = Box::new(connector.connect(name, stream).await?);
            Ok(secured)
        })
    }))
}

/// Returns advice for the user on a TLS error.
fn hint(error: &io::Error) -> &'static str {
    let inner = error.get_ref().and_then(|e| e.downcast_ref());
    match inner {
        Some(rustls::Error::InvalidCertificate(
            CertificateError::UnknownIssuer | CertificateError::Other(_),
        )) => {
            "this machine does not trust the certificate (SSL_CERT_FILE can name a file with the club's certificate)"
        }
        Some(rustls::Error::InvalidCertificate(_)) => {
            "the certificate is not that club's, or is not valid now"
        }
        Some(rustls::Error::InvalidMessage(_)) => {
            "the server does not use https: perhaps the address begins with http://"
        }
        Some(_) | None => "the TLS connection failed",
    }
}
