//! The key with which the club signs notices (RFC 8292).

use base64ct::{Base64UrlUnpadded, Encoding};
use club::{Club, ClubError};
use serde_json::json;
use web_push_native::p256::ecdsa::{Signature, SigningKey, signature::Signer};

/// A signature is valid for this time, in seconds.
const SIGNED: i64 = 12 * 3600;

/// The key with which the club signs notices.
pub struct VapidKey {
    key: SigningKey,
    public: String,
}

impl VapidKey {
    /// Reads the key from the store. At the first start, draws and stores it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn open(club: &Club) -> Result<VapidKey, ClubError> {
        let parsed = |text: &str| {
            let bytes = Base64UrlUnpadded::decode_vec(text).ok()?;
            SigningKey::from_slice(&bytes).ok()
        };
        let draw = || Base64UrlUnpadded::encode_string(&rand::random::<[u8; 32]>());
        // Nearly every 32 bytes are a key. A stored text that is none would stay useless.
        let mut fresh = draw();
        while parsed(&fresh).is_none() {
            fresh = draw();
        }
        let stored = club.secret("vapid", &fresh).await?;
        let key = parsed(&stored)
            .or_else(|| parsed(&fresh))
            .expect("`fresh` is a key");
        let public = key.verifying_key().to_encoded_point(false);
        let public = Base64UrlUnpadded::encode_string(public.as_bytes());
        Ok(VapidKey { key, public })
    }

    /// Returns the public key, in base64url.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// Returns the header `Authorization` for a push service: a signed JSON Web Token (RFC 8292).
    pub fn authorization(&self, host: &str, now: i64, contact: Option<&str>) -> String {
        let part =
            |json: serde_json::Value| Base64UrlUnpadded::encode_string(json.to_string().as_bytes());
        let mut claims = json!({"aud": format!("https://{host}"), "exp": now + SIGNED});
        if let Some(contact) = contact {
            claims["sub"] = contact.into();
        }
        let head = part(json!({"typ": "JWT", "alg": "ES256"}));
        let signed = format!("{head}.{}", part(claims));
        let signature: Signature = self.key.sign(signed.as_bytes());
        let signature = Base64UrlUnpadded::encode_string(&signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public)
    }
}
