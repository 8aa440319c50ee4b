-- Only entries of internal accounts are looked up by their account: for what happened on it. All others, six of the seven
-- entries of a payment, stay out of the index, which was two fifths of what the entries cost.
create index ledger_entries_of_internal_accounts on ledger_entries (platform_id, account, currency, position)
  where account like 'IA:%';
drop index ledger_entries_by_account;
