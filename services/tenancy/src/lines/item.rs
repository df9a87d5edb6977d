//! Lines of items.

use std::collections::HashMap;

use proto::error::{FieldFault, invalid};

use super::{
    bare, fault, fits, plain,
    table::{Cell, heading_line, write},
};
use crate::{
    domain::{Currency, Field, Fields, ItemDetails, SupplierId, amount, folded},
    grpc::fields,
    store::SuppliedItem,
};

/// The fields of items in tables.
pub const FIELDS: Fields = Fields { all: ALL, needed: &[&["name"]], dated: &[] };

const ALL: &[Field] = &[
    Field { name: "name", also: &["product", "item", "productname", "itemname"] },
    Field { name: "category", also: &["group", "productcategory"] },
    Field { name: "sku", also: &["code", "productcode", "number"] },
    Field { name: "barcode", also: &["ean", "gtin", "upc"] },
    Field { name: "price", also: &["retailprice", "sellingprice"] },
    Field { name: "cost", also: &["costprice", "supplyprice"] },
    Field { name: "tax", also: &["taxrate", "vat", "vatrate"] },
    Field { name: "supplier", also: &["suppliername", "vendor"] },
    Field { name: "low_stock", also: &["lowstocklevel", "minimum", "reorderat"] },
    Field { name: "unit", also: &["measure"] },
    Field { name: "on_hand", also: &["stock", "quantity", "currentstock"] },
];

/// A line as an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemLine {
    /// What it is.
    pub details: ItemDetails,
    /// What is there already.
    pub on_hand: Option<u32>,
}

/// What the cells of a line are read with.
#[derive(Debug)]
pub struct Reading {
    /// What amounts are in.
    pub currency: Option<Currency>,
    /// Suppliers by their folded names.
    pub suppliers: HashMap<String, SupplierId>,
}

/// The supplier that a line names, folded.
#[must_use]
pub fn supplier_name(cells: &[String]) -> Option<String> {
    let name = bare(cells.get(7)?);
    (!name.is_empty()).then(|| folded(name))
}

impl ItemLine {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with its first wrong cell.
    pub fn parse(cells: &[String], with: &Reading) -> Result<Self, FieldFault> {
        fits(&FIELDS, cells)?;
        let cell = |at: usize| cells.get(at).map_or("", String::as_str);
        let supplier = match supplier_name(cells) {
            None => None,
            Some(name) => Some(*with.suppliers.get(&name).ok_or_else(|| {
                FieldFault::new("supplier", "is no supplier of this business: add the supplier first")
            })?),
        };
        let details = ItemDetails {
            name: fault(fields::name("name", plain("name", cell(0))?))?,
            category: fault(fields::category("category", plain("category", cell(1))?))?,
            sku: fault(fields::sku("sku", plain("sku", cell(2))?))?,
            barcode: fault(fields::barcode("barcode", bare(cell(3))))?,
            price: money("price", cell(4), with.currency.as_ref())?,
            cost: money("cost", cell(5), with.currency.as_ref())?,
            tax: tax(cell(6))?,
            supplier,
            low_at: count("low_stock", cell(8))?.map(u32::cast_signed),
            unit: fault(fields::unit("unit", plain("unit", cell(9))?))?,
        };
        Ok(Self { details, on_hand: count("on_hand", cell(10))? })
    }

    /// What no other item may have; the name where it has no code.
    #[must_use]
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let sku = self.details.sku.as_ref().map(|sku| ("sku", sku.to_lowercase()));
        let barcode = self.details.barcode.as_ref().map(|code| ("barcode", code.to_string()));
        let codes: Vec<_> = sku.into_iter().chain(barcode).collect();
        if codes.is_empty() { vec![("name", self.details.name.clone())] } else { codes }
    }
}

fn money(field: &str, cell: &str, currency: Option<&Currency>) -> Result<Option<i32>, FieldFault> {
    let cell = bare(cell);
    if cell.is_empty() {
        return Ok(None);
    }
    let missing = || FieldFault::new(field, "needs a currency: choose the business's first, under Details");
    let currency = currency.ok_or_else(missing)?;
    amount::parse(cell, currency).map(Some).map_err(|error| FieldFault::new(field, &error.to_string()))
}

/// Percent, with at most two decimals.
fn tax(cell: &str) -> Result<i32, FieldFault> {
    let cell = bare(cell).trim_end_matches('%').trim().replace(',', ".");
    if cell.is_empty() {
        return Ok(0);
    }
    let (whole, fraction) = cell.split_once('.').unwrap_or((&cell, ""));
    let digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    let points =
        (digits && fraction.len() <= 2).then(|| format!("{whole}{fraction:0<2}").parse::<i32>().ok());
    let refused = || invalid("tax", "must be a percentage from 0 to 100, such as 20");
    fault(
        points
            .flatten()
            .ok_or_else(refused)
            .and_then(|points| fields::tax("tax", points).map_err(|_| refused())),
    )
}

fn count(field: &str, cell: &str) -> Result<Option<u32>, FieldFault> {
    let cell = bare(cell);
    if cell.is_empty() {
        return Ok(None);
    }
    let whole = cell.strip_suffix(".0").unwrap_or(cell);
    let refused = || FieldFault::new(field, "must be a whole number from 0 to 1,000,000");
    let number = whole.parse().map_err(|_| refused())?;
    fields::quantity(field, number, 0).map(Some).map_err(|_| refused())
}

/// Items as lines that [`ItemLine::parse`] reads, after their headings if they are the `first` ones.
#[must_use]
pub fn csv(first: bool, items: &[SuppliedItem]) -> String {
    let headings = first.then(|| heading_line::<11>(&FIELDS));
    write(headings.into_iter().chain(items.iter().map(line)))
}

fn line(SuppliedItem { item, supplier }: &SuppliedItem) -> [Cell; 11] {
    let details = &item.details;
    let money = |minor: Option<i32>| {
        Cell::number(minor.zip(item.currency.as_ref()).map(|(minor, currency)| amount::text(minor, currency)))
    };
    [
        Cell::Text(details.name.clone()),
        Cell::Text(details.category.clone()),
        Cell::text(details.sku.as_ref()),
        Cell::text(details.barcode.as_ref()),
        money(details.price),
        money(details.cost),
        Cell::Number(percent(details.tax)),
        Cell::Text(supplier.clone()),
        Cell::number(details.low_at),
        Cell::Text(details.unit.clone()),
        Cell::number(Some(item.on_hand)),
    ]
}

fn percent(points: i32) -> String {
    let text = format!("{}.{:02}", points / 100, points % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{
        domain::{ImportKind, Item, ItemId},
        lines::table_reading::first_line,
    };

    fn with() -> Reading {
        let suppliers = HashMap::from([("acme".to_owned(), SupplierId(Uuid::nil()))]);
        Reading { currency: Some("GBP".parse().unwrap()), suppliers }
    }

    fn parsed(text: &str) -> Result<ItemLine, FieldFault> {
        let table = format!("name,sku,barcode,price,tax,supplier,low stock,on hand\n{text}");
        ItemLine::parse(&first_line(&table, ImportKind::Items), &with())
    }

    #[test]
    fn a_line_is_an_item() {
        let line = parsed("Soap,S-1,4006381333931,£4.50,17.5%,ACME,3,12").unwrap();
        let ItemDetails { price, tax, low_at, supplier, .. } = &line.details;
        assert_eq!((*price, *tax, *low_at, line.on_hand), (Some(450), 1750, Some(3), Some(12)));
        assert!(supplier.is_some());
        assert_eq!(line.keys(), [("sku", "s-1".to_owned()), ("barcode", "4006381333931".to_owned())]);
    }

    #[test]
    fn what_is_wrong_is_said_of_its_column() {
        let long = "x".repeat(10_000);
        for (text, field) in [
            (",S-1", "name"),
            ("=HYPERLINK(1)", "name"),
            ("So\u{202e}ap", "name"),
            ("S\u{fffd}ap", "name"),
            ("So\u{7}ap", "name"),
            (long.as_str(), "name"),
            ("Soap,@x", "sku"),
            ("Soap,,123", "barcode"),
            ("Soap,,,free", "price"),
            ("Soap,,,-1", "price"),
            ("Soap,,,,120", "tax"),
            ("Soap,,,,,Nobody", "supplier"),
            ("Soap,,,,,,few", "low_stock"),
            ("Soap,,,,,,,-2", "on_hand"),
        ] {
            assert_eq!(parsed(text).unwrap_err().field, field, "{text:.20}");
        }
        assert_eq!(parsed("'=Soap").unwrap().details.name, "=Soap");
    }

    #[test]
    fn an_item_that_is_written_is_read_as_it_is() {
        let line = parsed("'-Soap,S-1,4006381333931,4.50,17.5,ACME,3,12").unwrap();
        let item = Item::new(ItemId(Uuid::nil()), line.details.clone(), with().currency).unwrap();
        let item = Item { on_hand: 12, ..item };
        let text = csv(true, &[SuppliedItem { item, supplier: "Acme".to_owned() }]);
        assert_eq!(ItemLine::parse(&first_line(&text, ImportKind::Items), &with()), Ok(line));
    }
}
