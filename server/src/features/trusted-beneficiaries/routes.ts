import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { checkProof, proofOf, TrustConfirmRequestSchema } from '../sca/index.ts'
import { confirmTrustChange } from './confirm-trust-change.ts'
import { TrustConfirmSchema, TrustStartSchema } from './schema.ts'
import { startTrustChange } from './start-trust-change.ts'

const tag = 'Strong Customer Authentication'
const params = Type.Object({
  externalAccountId: pathId('Id of the external account, `ExternalAccount:<uuid>`.'),
})

type Direction = Readonly<{
  verb: 'trust' | 'untrust'
  wanted: boolean
  noun: string
  what: string
}>

const startOperation = ({ verb, wanted, noun, what }: Direction): Operation =>
  write({
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
    errors: [
      'REFERENCE_NOT_FOUND',
      'USER_NOT_FOUND',
      'CONFLICT',
      'RATE_LIMITED',
      'NOT_IMPLEMENTED',
    ],
    handler: async ({ work, params: { externalAccountId } }) => {
      const id = mustParseId('externalAccount', externalAccountId)
      const scaChallenge = await startTrustChange(work, { id, wanted })
      return reply(200, scaChallenge ? { scaChallenge } : {})
    },
  })

const confirmOperation = ({ verb, wanted, noun, what }: Direction): Operation =>
  write({
    id: `confirmBeneficiary${noun}`,
    method: 'POST',
    path: `/customers/external-accounts/{externalAccountId}/${verb}/confirm`,
    tag,
    needs: 'MANAGE',
    summary: `Prove the wish to ${what}`,
    description:
      'After five wrong proofs it has to begin again; after ten in 15 minutes, or thirty in a day, no proof of the customer is accepted for a while.',
    params,
    body: TrustConfirmRequestSchema,
    example: {
      challengeId: 'ScaChallenge:01890a5d-ac96-774b-bcce-b302099a8057',
      code: '123456',
    },
    replies: { 200: TrustConfirmSchema },
    errors: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', 'CONFLICT', 'ACCOUNT_LOCKED', 'RATE_LIMITED'],
    check: ({ body }) => checkProof(body),
    handler: async ({ work, params: { externalAccountId }, body }) => {
      const outcome = await confirmTrustChange(work, {
        id: mustParseId('externalAccount', externalAccountId),
        wanted,
        challengeId: body.challengeId ?? undefined,
        proof: proofOf(body),
      })
      if ('ok' in outcome) return outcome
      const { trusted, isChanged } = outcome
      // Only a change leaves an audit entry (TRUST-8).
      return { ...reply(200, { trusted }), isChange: isChanged }
    },
  })

const DIRECTIONS: readonly Direction[] = [
  { verb: 'trust', wanted: true, noun: 'Trust', what: 'trust a beneficiary' },
  { verb: 'untrust', wanted: false, noun: 'Untrust', what: 'no longer trust a beneficiary' },
]

export const routes: readonly Operation[] = DIRECTIONS.flatMap((direction) => [
  startOperation(direction),
  confirmOperation(direction),
])
