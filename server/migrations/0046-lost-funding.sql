-- The money that a payout was to be made from is gone again (PROV-67): over which rail, and whether its platform has paid.
alter table provider_orders add column lost_funding jsonb;
