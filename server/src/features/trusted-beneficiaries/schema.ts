import { Type } from '../../infra/http/schema/type.ts'
import { object } from '../../infra/http/schema/wire-schema.ts'
import { ScaChallengeSchema } from '../sca/index.ts'

export const TrustStartSchema = object('BeneficiaryTrustStart', {
  scaChallenge: Type.Optional(ScaChallengeSchema),
})

export const TrustConfirmSchema = object('BeneficiaryTrustConfirm', { trusted: Type.Boolean() })
