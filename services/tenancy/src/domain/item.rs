//! What a salon sells and uses up.

use super::{Barcode, Currency, Stale, SupplierId};

typed_id::typed_id! {
    /// An item of a business.
    ItemId,
}

/// What an item is, as a person describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemDetails {
    /// What it is called.
    pub name: String,
    /// What it is filed under; empty for nothing.
    pub category: String,
    /// The salon's or the supplier's own number of it.
    pub sku: Option<String>,
    /// The number on its package.
    pub barcode: Option<Barcode>,
    /// What a customer pays, in minor units; `None` where it is not for sale.
    pub price: Option<i32>,
    /// What it costs the salon, in minor units.
    pub cost: Option<i32>,
    /// The tax in the price, in hundredths of a percent.
    pub tax: i32,
    /// Who sells it to the salon.
    pub supplier: Option<SupplierId>,
    /// The stock at which it is low.
    pub low_at: Option<i32>,
    /// What is counted; empty for pieces.
    pub unit: String,
}

/// Something a salon sells or uses up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Unique in the installation.
    pub id: ItemId,
    /// What it is.
    pub details: ItemDetails,
    /// What its amounts are in.
    pub currency: Option<Currency>,
    /// What its movements add up to.
    pub on_hand: i64,
    /// Whether it is off the list.
    pub archived: bool,
    /// Grows by one with each change of the details.
    pub version: i64,
    /// Grows by one with each change, of the stock as well.
    pub revision: i64,
}

/// An amount of a business that has not chosen its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("needs a currency: choose the business's first, under Details")]
pub enum NoCurrency {
    /// What a customer pays.
    Price,
    /// What it costs the salon.
    Cost,
}

/// An item that was written before its business chose a currency is in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("needs a currency, which the item has none of yet: give it a price or a cost first")]
pub struct ItemWithoutCurrency;

/// An item without a price is not sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this item has no price, so it is not for sale")]
pub struct NotForSale;

impl Item {
    /// A new item without stock.
    ///
    /// # Errors
    /// [`NoCurrency`] for an amount without one.
    pub fn new(id: ItemId, details: ItemDetails, currency: Option<Currency>) -> Result<Self, NoCurrency> {
        let currency = priced_in(&details, None, currency)?;
        Ok(Self { id, details, currency, on_hand: 0, archived: false, version: 1, revision: 1 })
    }

    /// The item, if no change of its details was made since `version` was seen.
    ///
    /// # Errors
    /// [`Stale`] with the current version.
    pub fn seen_at(self, version: Option<i64>) -> Result<Self, Stale> {
        match version {
            Some(version) if version != self.version => Err(Stale(self.version)),
            _ => Ok(self),
        }
    }

    /// The item with other details. Amounts that stay keep the currency they are in; others are in `currency`.
    ///
    /// # Errors
    /// [`NoCurrency`] for an amount without one.
    pub fn described(self, details: ItemDetails, currency: Option<Currency>) -> Result<Self, NoCurrency> {
        if details == self.details {
            return Ok(self);
        }
        let same = (details.price, details.cost) == (self.details.price, self.details.cost);
        let kept = if same { self.currency.clone() } else { None };
        let currency = priced_in(&details, kept, currency)?;
        Ok(Self { details, currency, version: self.version + 1, revision: self.revision + 1, ..self })
    }

    /// The item off the list, or back on it.
    #[must_use]
    pub fn archived(self, archived: bool) -> Self {
        if archived == self.archived {
            return self;
        }
        Self { archived, version: self.version + 1, revision: self.revision + 1, ..self }
    }

    /// The item, if customers can buy it.
    ///
    /// # Errors
    /// [`NotForSale`] without a price.
    pub fn for_sale(self) -> Result<Self, NotForSale> {
        if self.details.price.is_some() { Ok(self) } else { Err(NotForSale) }
    }

    /// The item, if what it costs has a currency.
    ///
    /// # Errors
    /// [`ItemWithoutCurrency`] before it is in one.
    pub fn with_currency(self) -> Result<Self, ItemWithoutCurrency> {
        if self.currency.is_some() { Ok(self) } else { Err(ItemWithoutCurrency) }
    }

    /// Whether it is on the list with so little stock that more should be ordered.
    #[must_use]
    pub fn is_low(&self) -> bool {
        !self.archived && self.details.low_at.is_some_and(|low| self.on_hand <= i64::from(low))
    }
}

fn priced_in(
    details: &ItemDetails,
    kept: Option<Currency>,
    current: Option<Currency>,
) -> Result<Option<Currency>, NoCurrency> {
    match (kept.or(current), details.price, details.cost) {
        (None, Some(_), _) => Err(NoCurrency::Price),
        (None, None, Some(_)) => Err(NoCurrency::Cost),
        (currency, ..) => Ok(currency),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use uuid::Uuid;

    use super::*;

    pub(crate) fn shampoo() -> ItemDetails {
        ItemDetails {
            name: "Shampoo".to_owned(),
            category: String::new(),
            sku: None,
            barcode: None,
            price: Some(1250),
            cost: None,
            tax: 2000,
            supplier: None,
            low_at: Some(3),
            unit: String::new(),
        }
    }

    fn pounds() -> Option<Currency> {
        Some("GBP".parse().unwrap())
    }

    fn item() -> Item {
        Item::new(ItemId(Uuid::nil()), shampoo(), pounds()).unwrap()
    }

    #[test]
    fn an_amount_needs_a_currency_and_keeps_it() {
        assert_eq!(Item::new(ItemId(Uuid::nil()), shampoo(), None), Err(NoCurrency::Price));
        let costly = ItemDetails { price: None, cost: Some(640), ..shampoo() };
        assert_eq!(Item::new(ItemId(Uuid::nil()), costly, None), Err(NoCurrency::Cost));
        let free = ItemDetails { price: None, ..shampoo() };
        assert!(Item::new(ItemId(Uuid::nil()), free, None).is_ok());
        let euros = Some("EUR".parse().unwrap());
        let renamed = ItemDetails { name: "Mild shampoo".to_owned(), ..shampoo() };
        assert_eq!(item().described(renamed, euros.clone()).unwrap().currency, pounds());
        let repriced = ItemDetails { price: Some(1), ..shampoo() };
        assert_eq!(item().described(repriced, euros.clone()).unwrap().currency, euros);
    }

    #[test]
    fn an_item_without_a_price_is_not_for_sale_and_a_free_one_is() {
        let priced = |price| Item { details: ItemDetails { price, ..shampoo() }, ..item() };
        assert_eq!(priced(None).for_sale(), Err(NotForSale));
        assert!(priced(Some(0)).for_sale().is_ok());
    }

    #[test]
    fn what_changes_nothing_makes_no_version() {
        assert_eq!(item().described(shampoo(), None), Ok(item()));
        assert_eq!(item().archived(false), item());
        assert_eq!(item().archived(true).version, 2);
    }

    #[test]
    fn stock_is_low_at_the_threshold_while_the_item_is_on_the_list() {
        let with = |on_hand| Item { on_hand, ..item() };
        assert_eq!([4, 3, -1].map(|on_hand| with(on_hand).is_low()), [false, true, true]);
        assert!(!with(0).archived(true).is_low());
        let never = Item { details: ItemDetails { low_at: None, ..shampoo() }, ..item() };
        assert!(!never.is_low());
    }
}
