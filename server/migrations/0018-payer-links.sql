-- Which payments out are the other end of one that is not decided yet: those are nobody's to settle by hand.
create index payment_approvals_by_payer on payment_approvals (payer_platform_id, payer_transaction_id)
  where payer_transaction_id is not null;
