import type { Id } from '../../../kernel/ids.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { openContact, SCA_REGIONS, type Customer } from '../../customers/index.ts'
import { RECORD_COLUMNS, toRecord, type RecordRow, type ScaRecord } from './store.ts'

export type PayerKey = Readonly<{ platformId: Id<'platform'>; customerId: Id<'customer'> }>

export type PayerRecord = PayerKey &
  Pick<Customer, 'phoneNumber' | 'contact'> &
  Readonly<{ record: ScaRecord; environment: Environment; passkeyOrigins: readonly string[] }>

type PayerRow = RecordRow &
  PayerKey &
  Readonly<{
    phoneNumber: string | null
    sealedContact: Buffer | null
    phoneStatus: 'PENDING' | 'VERIFIED' | null
    environment: Environment
    passkeyOrigins: string[]
  }>

const PAYER_KEY: Columns<PayerKey> = {
  platform_id: ['uuid', (key) => key.platformId],
  id: ['uuid', (key) => key.customerId],
}

/** Locks, in order of id, the customers of any platforms who need strong authentication. */
export async function lockPayers(tx: Tx, keys: readonly PayerKey[]): Promise<PayerRecord[]> {
  const requested = given('k', PAYER_KEY, keys)
  // The second statement sees the changes that the previous holder of the lock committed.
  const [, rows] = await Promise.all([
    tx.run(
      sql`select 1 from customers c join ${requested} using (platform_id, id)
          where c.region = any (${SCA_REGIONS}::text[]) order by c.id for no key update of c`,
    ),
    tx.many<PayerRow>(
      sql`select c.platform_id, c.id as customer_id, c.phone_number, c.sealed_contact, c.phone_status, f.environment, f.passkey_origins,
            ${RECORD_COLUMNS}
          from customers c join ${requested} using (platform_id, id)
          join platforms f on f.id = c.platform_id
          left join sca_states s on s.platform_id = c.platform_id and s.customer_id = c.id
          left join sca_totp_factors t on t.platform_id = c.platform_id and t.customer_id = c.id
          left join sca_passkeys p on p.platform_id = c.platform_id and p.customer_id = c.id
          where c.region = any (${SCA_REGIONS}::text[])`,
    ),
  ])
  const phoneOf = ({ customerId, phoneNumber, sealedContact }: PayerRow): string | null =>
    sealedContact ? openContact(tx.keyring, customerId, sealedContact).phoneNumber : phoneNumber
  return rows.map((row) => ({
    platformId: row.platformId,
    customerId: row.customerId,
    phoneNumber: phoneOf(row) ?? undefined,
    contact: row.phoneStatus ? { phone: row.phoneStatus } : {},
    record: toRecord(row),
    environment: row.environment,
    passkeyOrigins: row.passkeyOrigins,
  }))
}
