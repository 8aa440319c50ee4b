import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Order } from '../order.ts'

const PURPOSE = 'order-secret'

/** Body members that are stored only as long as the order may still be sent. */
export type OrderSecret = Readonly<{ keyring: Keyring; members: Readonly<Record<string, unknown>> }>

export const sealSecret = (id: Id<'order'>, { keyring, members }: OrderSecret): Buffer =>
  seal(keyring, PURPOSE, JSON.stringify(members), id)

/** Adds the secret members to the stored body; the result is the same at every attempt. */
export async function withSecret(
  { tx, keyring }: Readonly<{ tx: Tx; keyring: Keyring }>,
  { platformId, id, hasSecret }: Order,
  body: string,
): Promise<string> {
  if (!hasSecret) return body
  const { sealedSecret } = await tx.one<{ sealedSecret: Buffer }>(
    sql`select sealed_secret from provider_orders
        where platform_id = ${platformId} and id = ${id} and sealed_secret is not null`,
  )
  const members = unseal(keyring, PURPOSE, sealedSecret, id).toString('utf8')
  return JSON.stringify({ ...(JSON.parse(body) as object), ...(JSON.parse(members) as object) })
}
