import { Type } from '../../infra/http/schema/type.ts'
import { object, oneOf } from '../../infra/http/schema/wire-schema.ts'
import { MATCHES } from '../../kernel/text/magic-value.ts'

export const MagicValueSchema = object('SandboxMagicValue', {
  object: Type.String(),
  field: Type.String(),
  match: oneOf(MATCHES, { description: 'How the field is compared with the value.' }),
  value: Type.String(),
  operation: Type.String(),
  effect: Type.String(),
})

export const MagicValueListSchema = object('SandboxMagicValueList', {
  data: Type.Array(MagicValueSchema),
})
