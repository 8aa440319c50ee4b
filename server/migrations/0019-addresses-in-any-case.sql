-- Most numbers and addresses are the same in any case, and senders, banks and watchers of chains each have their own.
create index funding_addresses_in_any_case on funding_addresses (field, lower(value));
