import { Type } from '../../../infra/http/schema/type.ts'
import { oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { INT64_MAX } from '../../../kernel/money/money.ts'
import { amountFromText, gasToWire } from '../../../kernel/money/wire-money.ts'
import type { Deps } from '../../../infra/deps.ts'
import {
  listNetworkFees,
  NETWORK_NAMES,
  NETWORKS,
  setNetworkFee,
  type NetworkName,
} from '../../../features/rates/index.ts'
import { choiceOf, defineCommand, record, UsageError, type Input } from '../../command.ts'
import { inHouse } from '../../in-platform.ts'
import { fourEyesIf, movesFar } from '../money/price-moves.ts'

const FeeSchema = record({
  network: oneOf(NETWORK_NAMES),
  assets: Type.Array(Type.String()),
  feeAsset: Type.String(),
  feeAssetDecimals: Type.Integer(),
  fee: Type.Optional(Type.Integer()),
  updatedAt: Type.Optional(timestamp()),
})

/** A fee of more whole units of a gas asset was probably entered in another unit. */
const WHOLE_UNITS_MAX = 1000n

function feeOf(input: Input, network: NetworkName): bigint {
  const { feeAsset, feeAssetDecimals } = NETWORKS[network]
  const most = WHOLE_UNITS_MAX * 10n ** BigInt(feeAssetDecimals)
  const fee = amountFromText(input.option('fee') ?? '')
  if (fee === undefined || fee > most || fee > INT64_MAX) {
    throw new UsageError(
      `--fee is a whole number of 1e-${feeAssetDecimals} ${feeAsset}, and less than ${WHOLE_UNITS_MAX} ${feeAsset}.`,
    )
  }
  return fee
}

/** Every network, with its fee where one is set. */
async function shownFees({ db }: Pick<Deps, 'db'>) {
  const set = new Map((await listNetworkFees(db.read)).map((row) => [row.network, row]))
  return NETWORK_NAMES.map((network) => {
    const { assets, feeAsset, feeAssetDecimals } = NETWORKS[network]
    const row = set.get(network)
    return {
      network,
      assets,
      ...(row && { fee: gasToWire(row.fee) }),
      feeAsset,
      feeAssetDecimals,
      ...(row && { updatedAt: toWireTime(row.setAt) }),
    }
  })
}

const show = defineCommand({
  name: 'network-fees show',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'What a payout over each network costs in production; one without a fee is not served.',
  answers: Type.Array(FeeSchema),
  run: (deps) => shownFees(deps),
})

function networkOf(input: Input): NetworkName {
  const network = choiceOf(input, 'network', NETWORK_NAMES)
  if (!network) throw new UsageError('Give a --network.')
  return network
}

async function lastFee({ db }: Deps, input: Input): Promise<bigint | undefined> {
  const network = networkOf(input)
  return (await listNetworkFees(db.read)).find((row) => row.network === network)?.fee
}

/** A fee that moves far from the last one needs a second operator. */
async function fourEyesFor(deps: Deps, input: Input) {
  const last = await lastFee(deps, input)
  const whole = (numerator: bigint) => ({ numerator, denominator: 1n })
  const to = whole(feeOf(input, networkOf(input)))
  return fourEyesIf(last !== undefined && movesFar({ from: whole(last), to }))
}

const set = defineCommand({
  name: 'network-fees set',
  access: {
    roles: ['TREASURER'],
    fourEyesFor,
    actsOn: lastFee,
    scope: 'installation',
    writes: true,
  },
  about: 'Set what a payout over a network costs in production; binds new quotes only.',
  options: {
    network: { about: `One of ${NETWORK_NAMES.join(', ')}.`, value: 'NAME', required: true },
    fee: {
      about: 'In the smallest unit of the network’s gas asset: lamport, wei, sun, satoshi.',
      value: 'N',
      required: true,
    },
  },
  answers: Type.Array(FeeSchema),
  async run(deps, input) {
    const network = networkOf(input)
    const fee = feeOf(input, network)
    const entry = { action: 'network-fees set', resource: network, note: () => `fee ${fee}` }
    await inHouse(deps, entry, (work) => setNetworkFee(work, { network, fee }))
    return shownFees(deps)
  },
})

export const networkFeeCommands = { show, set }
