import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

/** Sign-ins that are under way at the issuer. */

type Started = Readonly<{ digest: Buffer; isAgain: boolean; startedAt: Date }>

export async function insertOidcSignIn(
  tx: Tx,
  { digest, isAgain, startedAt }: Started,
): Promise<void> {
  await tx.run(
    sql`insert into oidc_sign_ins (digest, is_again, started_at) values (${digest}, ${isAgain}, ${startedAt})`,
  )
}

/** Of two that come back with one sign-in, one finds it. */
export const takeOidcSignIn = (
  tx: Tx,
  { digest, startedAfter }: Readonly<{ digest: Buffer; startedAfter: Date }>,
): Promise<Omit<Started, 'digest'> | undefined> =>
  tx.maybe<Omit<Started, 'digest'>>(
    sql`delete from oidc_sign_ins where digest = ${digest} and started_at > ${startedAfter}
        returning is_again, started_at`,
  )

export async function pruneOidcSignIns(tx: Tx, startedBefore: Date): Promise<void> {
  await tx.run(sql`delete from oidc_sign_ins where started_at <= ${startedBefore}`)
}
