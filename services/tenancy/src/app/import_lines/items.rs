//! Lines of items.

use std::collections::HashMap;

use proto::error::FieldFault;

use super::{Read, outcome};
use crate::{
    Error,
    domain::{Import, Item, LineState, NewMovement, folded},
    lines::item::{ItemLine, Reading, supplier_name},
    store::{ImportLine, ItemCodes, LineOutcome, Tx},
};

/// Lines as items that the business does not have.
pub async fn read(tx: &Tx, lines: &[ImportLine]) -> Result<Vec<Read<ItemLine>>, Error> {
    let mut names: Vec<String> = lines.iter().filter_map(|line| supplier_name(&line.cells)).collect();
    names.sort_unstable();
    names.dedup();
    let suppliers = if names.is_empty() { vec![] } else { tx.suppliers_named(&names).await? };
    let suppliers: HashMap<_, _> =
        suppliers.into_iter().map(|supplier| (folded(&supplier.name), supplier.id)).collect();
    let with = Reading { currency: tx.business().await?.currency, suppliers };
    let read: Vec<_> = lines.iter().map(|line| ItemLine::parse(&line.cells, &with)).collect();
    let known = known(tx, &read).await?;
    Ok(read.into_iter().map(|line| line.and_then(|line| unknown(line, &known))).collect())
}

/// Adds the items and what is there of them.
pub async fn import(tx: &Tx, import: &Import, lines: &[ImportLine]) -> Result<Vec<LineOutcome>, Error> {
    let currency = tx.business().await?.currency;
    let mut outcomes = Vec::with_capacity(lines.len());
    let mut counted = Vec::new();
    for (line, read) in lines.iter().zip(read(tx, lines).await?) {
        let (fault, record) = match read {
            Err(fault) => (Some(fault), None),
            Ok(ItemLine { details, on_hand }) => {
                let item = Item::new(tx.new_id(), details, currency.clone())?;
                let id = tx.add_item(item).await?.record().id;
                if let Some(on_hand) = on_hand.filter(|on_hand| *on_hand > 0) {
                    counted.push(NewMovement::counted(tx.new_id(), id, 0, on_hand));
                }
                (None, Some(id))
            }
        };
        let record = record.map(|id| id.0);
        outcomes.push(outcome(line.number, fault, LineState::Imported, LineState::Failed, record));
    }
    if !counted.is_empty() {
        tx.add_movements(&counted, &import.by).await?;
    }
    for id in outcomes.iter().filter_map(|outcome| outcome.record) {
        tx.publish_item(id.into()).await?;
    }
    Ok(outcomes)
}

async fn known(tx: &Tx, read: &[Read<ItemLine>]) -> Result<Vec<ItemCodes>, Error> {
    let values = |column: &str| -> Vec<String> {
        let keys = read.iter().flatten().flat_map(ItemLine::keys);
        keys.filter(|(known, _)| *known == column).map(|(_, value)| value).collect()
    };
    tx.item_codes_among(values("sku"), values("barcode"), values("name")).await
}

fn unknown(line: ItemLine, known: &[ItemCodes]) -> Read<ItemLine> {
    for (column, value) in line.keys() {
        let taken = known.iter().find(|item| match column {
            "sku" => item.sku.as_deref() == Some(value.as_str()),
            "barcode" => item.barcode.as_deref() == Some(value.as_str()),
            _ => item.name == value,
        });
        if let Some(item) = taken {
            return Err(FieldFault::new(column, &format!("is that of the item “{}” already", item.name)));
        }
    }
    Ok(line)
}
