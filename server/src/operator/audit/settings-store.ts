import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

type KnownSetting = Readonly<{ name: string; valueDigest: Buffer }>

const KNOWN: Columns<KnownSetting> = {
  name: ['text', ({ name }) => name],
  value_digest: ['bytea', ({ valueDigest }) => valueDigest],
}

export const listKnown = (tx: Tx): Promise<KnownSetting[]> =>
  tx.many<KnownSetting>(sql`select name, value_digest from known_settings`)

export async function saveKnown(tx: Tx, settings: readonly KnownSetting[]): Promise<void> {
  await tx.run(
    sql`insert into known_settings (name, value_digest) select * from ${given('k', KNOWN, settings)}
        on conflict (name) do update set value_digest = excluded.value_digest`,
  )
}
