import { Type } from 'typebox'
import { refusalToError } from '../../kernel/errors.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { audit } from '../../infra/audit.ts'
import { operation, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/wire-schema.ts'
import { checkProof, proofOf, TrustConfirmRequestSchema } from '../sca/index.ts'
import { confirmTrustChange } from './confirm-trust-change.ts'
import { TrustConfirmSchema, TrustStartSchema } from './schema.ts'
import { startTrustChange } from './start-trust-change.ts'

const tag = 'Strong Customer Authentication'
const params = Type.Object({ externalAccountId: pathId('`ExternalAccount:<uuid>`') })

type Direction = Readonly<{
  verb: 'trust' | 'untrust'
  wanted: boolean
  noun: string
  what: string
}>

const startOperation = ({ verb, wanted, noun, what }: Direction): Operation =>
  operation({
    id: `startBeneficiary${noun}`,
    method: 'POST',
    path: `/customers/external-accounts/{externalAccountId}/${verb}`,
    tag,
    needs: 'MANAGE',
    summary: `Begin to ${what}`,
    description:
      'Answers what the customer has to prove, or nothing where it is so already. In the sandbox the code is `123456`.',
    params,
    replies: { 200: TrustStartSchema },
    errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
    handler: async ({ work, params: { externalAccountId } }) => {
      const id = mustParseId('externalAccount', externalAccountId)
      const scaChallenge = await startTrustChange(work, { id, wanted })
      return reply(200, scaChallenge ? { scaChallenge } : {})
    },
  })

/** A procedure, because only what changed something leaves an audit entry (TRUST-8). */
const confirmOperation = ({ verb, wanted, noun, what }: Direction): Operation => {
  const action = `confirmBeneficiary${noun}`
  return operation({
    id: action,
    method: 'POST',
    path: `/customers/external-accounts/{externalAccountId}/${verb}/confirm`,
    tag,
    needs: 'MANAGE',
    summary: `Prove the wish to ${what}`,
    description: 'After five wrong proofs it has to begin anew.',
    params,
    body: TrustConfirmRequestSchema,
    example: {
      challengeId: 'ScaChallenge:01890a5d-ac96-774b-bcce-b302099a8057',
      code: '123456',
    },
    replies: { 200: TrustConfirmSchema },
    errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
    check: ({ body }) => checkProof(body),
    procedure: async ({ params: { externalAccountId }, body, inWork }) => {
      const id = mustParseId('externalAccount', externalAccountId)
      const challengeId = body.challengeId ?? undefined
      const outcome = await inWork(async (work) => {
        const result = await confirmTrustChange(work, {
          id,
          wanted,
          challengeId,
          proof: proofOf(body),
        })
        if (!('ok' in result) && result.isChanged)
          audit(work, { action, resource: externalAccountId })
        return result
      })
      if ('ok' in outcome) throw refusalToError(outcome)
      return reply(200, { trusted: outcome.trusted })
    },
  })
}

const DIRECTIONS: readonly Direction[] = [
  { verb: 'trust', wanted: true, noun: 'Trust', what: 'trust a beneficiary' },
  { verb: 'untrust', wanted: false, noun: 'Untrust', what: 'no longer trust a beneficiary' },
]

export const routes: readonly Operation[] = DIRECTIONS.flatMap((direction) => [
  startOperation(direction),
  confirmOperation(direction),
])
