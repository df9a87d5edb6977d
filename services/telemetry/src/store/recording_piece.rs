//! Recordings that platforms deliver, in pieces, until they are in the object store.

use database::{Named, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;

use super::{InstallationTx, Tx};
use crate::{
    domain::{
        CallId, UploadId,
        recording::{Source, UPLOAD},
    },
    error::Error,
};

/// A piece that is sent again is the same.
const ADD: &str = "INSERT INTO recording_piece (business_id, upload_id, number, content, received_at)
    VALUES (:business_id, :upload_id, :number, :content, :received_at)
    ON CONFLICT (business_id, upload_id, number) DO NOTHING";
const ONE: &str = "SELECT content FROM recording_piece
    WHERE business_id = :business_id AND upload_id = :upload_id AND number = :number";
const DROP: &str = "DELETE FROM recording_piece WHERE business_id = :business_id AND upload_id = :upload_id";
/// Those that the awaited recording of a call names stay.
const DROP_UNNAMED: &str = "DELETE FROM recording_piece
    WHERE business_id = :business_id AND upload_id = :upload_id AND NOT EXISTS (
        SELECT FROM recording r
        WHERE r.business_id = :business_id AND r.call_id = :call_id AND r.source = :source)";
const WAITING: &str = "SELECT coalesce(sum(octet_length(content)), 0)::bigint AS bytes FROM recording_piece
    WHERE business_id = :business_id";
const DROP_OF_CALL: &str = "DELETE FROM recording_piece p USING recording r
    WHERE p.business_id = :business_id AND r.business_id = :business_id AND r.call_id = :call_id
        AND r.source = :upload || p.upload_id::text";
/// Those of a recording that is still awaited stay, unless they are too old for any attempt at a copy.
const SWEEP: &str = "DELETE FROM recording_piece WHERE (business_id, upload_id, number) IN (
        SELECT p.business_id, p.upload_id, p.number FROM recording_piece p
        WHERE p.received_at < :before AND (p.received_at < :oldest OR NOT EXISTS (
            SELECT FROM recording r WHERE r.business_id = p.business_id AND r.source = :upload || p.upload_id::text))
        ORDER BY p.received_at LIMIT :limit)";

#[derive(FromQueryResult)]
struct Piece {
    content: Vec<u8>,
}

#[derive(FromQueryResult)]
struct Waiting {
    bytes: i64,
}

impl Tx {
    /// Bytes of the business's pieces that are not in the object store yet.
    pub async fn waiting_piece_bytes(&self) -> Result<i64, Error> {
        let waiting: Option<Waiting> = self.row(WAITING, named! { business_id: self.business.0 }).await?;
        Ok(waiting.map_or(0, |waiting| waiting.bytes))
    }

    /// Keeps a piece.
    pub async fn add_recording_piece(
        &self,
        upload: UploadId,
        number: i32,
        content: Vec<u8>,
    ) -> Result<(), Error> {
        let values = self.piece(upload, number).and(named! { content, received_at: to_db(self.now()) });
        self.execute(ADD, values).await.map(drop)
    }

    /// A piece; `None` behind the last.
    pub async fn recording_piece(&self, upload: UploadId, number: i32) -> Result<Option<Vec<u8>>, Error> {
        let piece: Option<Piece> = self.row(ONE, self.piece(upload, number)).await?;
        Ok(piece.map(|piece| piece.content))
    }

    /// The recording is elsewhere now.
    pub async fn drop_recording_pieces(&self, upload: UploadId) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, upload_id: upload.0 };
        self.execute(DROP, values).await.map(drop)
    }

    /// Deletes an upload that the call's recording is not awaited from.
    pub async fn drop_unnamed_pieces(&self, call: CallId, upload: UploadId) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            upload_id: upload.0,
            call_id: call.0,
            source: Source::Upload(upload).write(),
        };
        self.execute(DROP_UNNAMED, values).await.map(drop)
    }

    /// The recording of a call is wanted no more.
    pub(super) async fn drop_pieces_of(&self, call: CallId) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, call_id: call.0, upload: UPLOAD };
        self.execute(DROP_OF_CALL, values).await.map(drop)
    }

    fn piece(&self, upload: UploadId, number: i32) -> Named {
        named! { business_id: self.business.0, upload_id: upload.0, number }
    }
}

impl InstallationTx {
    /// Deletes some pieces from before a time that are no awaited recording, and any from before `oldest`; says how many.
    pub async fn sweep_recording_pieces(
        &self,
        before: Timestamp,
        oldest: Timestamp,
        limit: i64,
    ) -> Result<u64, Error> {
        let values = named! { before: to_db(before), oldest: to_db(oldest), upload: UPLOAD, limit };
        self.execute(SWEEP, values).await
    }
}
