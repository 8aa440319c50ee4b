/**
 * The twin of a payment as stored functions. Everything that the service writes for one is written here too, copied
 * from a payment that the service made: the quote, the transaction, journals and entries, the balance, events, the
 * stored answer, the audit entry. It reads nothing else and decides nothing but the balance; it
 * keeps no daily volume either, whose one row would make every payment wait for every other.
 */
export const TWIN = `
  create table bench_templates (part text primary key, quote quotes, tx transactions, reply idempotency_keys, entry audit_entries);
  create table bench_events (part text, n integer, type text, data text, is_difference boolean, primary key (part, n));

  create function bench_keep_templates(platform uuid, immediate uuid, quoted uuid, executed uuid)
  returns void language plpgsql as $$
  declare one record;
  begin
    for one in select * from (values ('pay', immediate, 'createQuote', 0), ('quote', quoted, 'createQuote', 0),
        ('execute', executed, 'executeQuote', 1)) as given(part, id, action, skipped) loop
      insert into bench_templates values (one.part,
        (select q from quotes q where platform_id = platform and id = one.id),
        (select t from transactions t where platform_id = platform and id = one.id),
        (select k from idempotency_keys k where encode(k.body, 'escape') like '%' || one.id || '%'
          order by created_at desc limit 1),
        (select a from audit_entries a where resource = 'Quote:' || one.id and action = one.action));
      insert into bench_events select one.part, row_number() over (order by e.position), e.type, r.data, r.base_id is not null
        from events e join event_rows r using (platform_id, id)
        where e.body like '%Transaction:' || one.id || '%' order by e.position offset one.skipped;
      if one.part <> 'quote' then
        insert into bench_events select one.part, 99, e.type, e.data, false from event_rows e
          where e.type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' order by e.position desc limit 1;
      end if;
    end loop;
  end $$;

  create function bench_leave(platform uuid, template text, tx uuid, key text, moment timestamptz)
  returns void language plpgsql as $$
  declare t bench_templates; k idempotency_keys; a audit_entries;
  begin
    select * into t from bench_templates where part = template;
    k := t.reply; k.key := key; k.created_at := moment;
    insert into idempotency_keys select k.*;
    a := t.entry; a.id := uuidv7(); a.at := moment; a.resource := 'Quote:' || tx; a.request_id := key;
    insert into audit_entries select a.*;
    insert into event_rows (platform_id, id, position, type, resource_id, at, data, base_id)
    select platform, uuidv7(), nextval('event_positions'), type, 'Transaction:' || tx, moment, data,
      case when is_difference then tx end
    from bench_events
    where part = template order by n;
  end $$;

  create function bench_write_quote(platform uuid, template text, tx uuid, source uuid, destination text, moment timestamptz)
  returns void language plpgsql as $$
  declare t bench_templates; q quotes; x transactions;
  begin
    select * into t from bench_templates where part = template;
    q := t.quote; q.id := tx; q.created_at := moment;
    insert into quotes select q.*;
    x := t.tx; x.id := tx; x.quote_id := tx; x.created_at := moment; x.updated_at := moment;
    x.source_identifier := 'InternalAccount:' || source; x.destination_identifier := destination;
    insert into transactions select x.*;
  end $$;

  create function bench_move(platform uuid, tx uuid, payer uuid, moment timestamptz)
  returns void language plpgsql as $$
  declare after bigint; debited uuid := uuidv7(); delivered uuid := uuidv7();
  begin
    update ledger_balances set amount = amount - 100
      where platform_id = platform and account = 'IA:' || payer || ':available' and currency = 'USD' and amount >= 100
      returning amount into after;
    if not found then raise exception 'insufficient'; end if;
    insert into ledger_journals values (platform, debited, 'payment.debited', tx, moment),
      (platform, delivered, 'payment.delivered', tx, moment);
    insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after) values
      (platform, debited, 0, 'IA:' || payer || ':available', 'USD', -100, after),
      (platform, debited, 1, 'TRANSIT:' || tx, 'USD', 100, 100),
      (platform, delivered, 0, 'TRANSIT:' || tx, 'USD', -100, 0),
      (platform, delivered, 1, 'REVENUE:fees', 'USD', 1, null),
      (platform, delivered, 2, 'FX', 'USD', 99, null),
      (platform, delivered, 3, 'FX', 'EUR', -91, null),
      (platform, delivered, 4, 'WORLD:SEPA_INSTANT', 'EUR', 91, null);
  end $$;

  create function bench_pay(platform uuid, tx uuid, payer uuid, destination text, key text, moment timestamptz)
  returns void language plpgsql as $$
  begin
    perform bench_write_quote(platform, 'pay', tx, payer, destination, moment);
    perform bench_leave(platform, 'pay', tx, key, moment);
    perform bench_move(platform, tx, payer, moment);
  end $$;

  create function bench_quote(platform uuid, tx uuid, payer uuid, destination text, key text, moment timestamptz)
  returns void language plpgsql as $$
  begin
    perform bench_write_quote(platform, 'quote', tx, payer, destination, moment);
    perform bench_leave(platform, 'quote', tx, key, moment);
    insert into jobs (platform_id, id, name, key, payload, due_at, state, created_at) values
      (platform, uuidv7(), 'quotes.expire', tx, json_build_object('quoteId', tx), moment + interval '5 minutes', 'WAITING', moment);
  end $$;

  create function bench_execute(platform uuid, tx uuid, payer uuid, key text, moment timestamptz)
  returns void language plpgsql as $$
  begin
    update transactions set status = 'COMPLETED', counted_on = moment::date, settled_at = moment, updated_at = moment
      where platform_id = platform and id = tx;
    delete from jobs j where j.platform_id = platform and j.name = 'quotes.expire' and j.key = tx::text and j.state = 'WAITING';
    perform bench_leave(platform, 'execute', tx, key, moment);
    perform bench_move(platform, tx, payer, moment);
  end $$`
