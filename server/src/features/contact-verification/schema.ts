import { Type } from '../../infra/http/schema/type.ts'
import { object } from '../../infra/http/schema/wire-schema.ts'

export const ContactVerificationConfirmSchema = object('ContactVerificationConfirmRequest', {
  code: Type.String({ minLength: 1, maxLength: 16 }),
})
