import { Type, type Static } from '../../infra/http/schema/type.ts'
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { idField, MoneySchema, oneOf, timestamp } from '../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import { moneyToWire } from '../../kernel/money/wire-money.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import { record, type Loose } from '../command.ts'
import type { StoredInput } from './stored-input.ts'

export const PROPOSAL_STATUSES = [
  'PROPOSED',
  'EXECUTED',
  'FAILED',
  'REJECTED',
  'WITHDRAWN',
  'EXPIRED',
] as const
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number]

/** Why the command was refused when it was approved. */
export type ProposalError = Readonly<{ code: string; message: string; details?: unknown }>

/** A command that waits for a second operator, or has been decided. */
export type Proposal = Readonly<{
  platformId: Id<'platform'>
  id: Id<'proposal'>
  command: string
  /** Erased, like the result, together with the customer whom it is about. */
  sealedInput: Buffer | null
  digest: Buffer
  resource: string | null
  amount: bigint | null
  currency: string | null
  status: ProposalStatus
  /** The person, the same through any of their tokens. */
  proposer: string
  /** As audit entries name the proposer. */
  proposedBy: string
  decidedBy: string | null
  sealedResult: Buffer | null
  error: ProposalError | null
  createdAt: Date
  expiresAt: Date
  decidedAt: Date | null
}>

export const ProposalSchema = record({
  proposalId: idField('proposal'),
  command: Type.String(),
  input: Type.Record(Type.String(), Type.Unknown()),
  digest: Type.String(),
  platformId: Type.Optional(idField('platform')),
  resource: Type.Optional(Type.String()),
  amount: Type.Optional(MoneySchema),
  status: oneOf(PROPOSAL_STATUSES),
  proposedBy: Type.String(),
  decidedBy: Type.Optional(Type.String()),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  decidedAt: Type.Optional(timestamp()),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(
    record({
      code: Type.String(),
      message: Type.String(),
      details: Type.Optional(Type.Unknown()),
    }),
  ),
})

export type WireProposal = Static<typeof ProposalSchema>

const INPUT = 'proposal-input'
const RESULT = 'proposal-result'

export const sealInput = (keyring: Keyring, id: Id<'proposal'>, input: StoredInput): Buffer =>
  seal(keyring, INPUT, JSON.stringify(input), id)

/** Undefined once the input is erased; a proposal that waits always has one. */
export const openInput = (
  keyring: Keyring,
  { id, sealedInput }: Proposal,
): StoredInput | undefined =>
  sealedInput === null
    ? undefined
    : (JSON.parse(unseal(keyring, INPUT, sealedInput, id).toString('utf8')) as StoredInput)

/** `json` is what the command answered. */
export const sealResult = (keyring: Keyring, id: Id<'proposal'>, json: string): Buffer =>
  seal(keyring, RESULT, json, id)

const openResult = (keyring: Keyring, { id, sealedResult }: Proposal): unknown =>
  sealedResult === null
    ? undefined
    : JSON.parse(unseal(keyring, RESULT, sealedResult, id).toString('utf8'))

/** A proposal is expired from `expiresAt` on, whether or not the job has recorded it. */
export const statusAt = ({ status, expiresAt }: Proposal, now: Date): ProposalStatus =>
  status === 'PROPOSED' && expiresAt <= now ? 'EXPIRED' : status

const isOfHouse = ({ platformId }: Proposal): boolean =>
  Object.values(HOUSE_PLATFORM_IDS).includes(platformId)

export function proposalToWire(
  { keyring, now }: Readonly<{ keyring: Keyring; now: Date }>,
  proposal: Proposal,
): Loose<WireProposal> {
  const { amount, currency, decidedAt, error } = proposal
  return {
    proposalId: formatId('proposal', proposal.id),
    command: proposal.command,
    input: openInput(keyring, proposal)?.shown ?? {},
    digest: proposal.digest.toString('hex'),
    platformId: isOfHouse(proposal) ? undefined : formatId('platform', proposal.platformId),
    resource: proposal.resource ?? undefined,
    amount: amount !== null && currency !== null ? moneyToWire({ amount, currency }) : undefined,
    status: statusAt(proposal, now),
    proposedBy: proposal.proposedBy,
    decidedBy: proposal.decidedBy ?? undefined,
    createdAt: toWireTime(proposal.createdAt),
    expiresAt: toWireTime(proposal.expiresAt),
    decidedAt: decidedAt ? toWireTime(decidedAt) : undefined,
    result: openResult(keyring, proposal),
    error: error ?? undefined,
  }
}
