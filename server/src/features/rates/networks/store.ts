import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { NetworkName } from './networks.ts'

export type SetNetworkFee = Readonly<{ network: NetworkName; fee: bigint; setAt: Date }>

/** The operator's fees are the same for every platform of production. */
export const listNetworkFees = (tx: Tx): Promise<SetNetworkFee[]> =>
  tx.many<SetNetworkFee>(sql`select network, fee, set_at from network_fees order by network`)

export async function saveNetworkFee(
  tx: Tx,
  { network, fee, setAt }: SetNetworkFee,
): Promise<void> {
  await tx.run(
    sql`insert into network_fees (network, fee, set_at) values (${network}, ${fee}, ${setAt})
        on conflict (network) do update set fee = excluded.fee, set_at = excluded.set_at`,
  )
}

export type ProviderNetworkFee = Readonly<{
  providerId: Id<'provider'>
  network: NetworkName
  fee: bigint
  at: Date
  validUntil: Date
}>

export const listProviderFees = (
  tx: Tx,
  providerIds: readonly Id<'provider'>[],
): Promise<ProviderNetworkFee[]> =>
  tx.many<ProviderNetworkFee>(
    sql`select provider_id, network, fee, at, valid_until from provider_network_fees
        where provider_id = any(${providerIds}::uuid[])`,
  )
