-- The hash of an entry over the one before it, as a window over entries in their order; the first follows the chain's head.
create function follow_audit_hash(previous bytea, head bytea, entry text) returns bytea language plpgsql immutable as $$
begin
  return sha256(coalesce(previous, head) || convert_to(entry, 'UTF8'));
end $$;

create aggregate chained_audit_hash(head bytea, entry text) (sfunc = follow_audit_hash, stype = bytea);
