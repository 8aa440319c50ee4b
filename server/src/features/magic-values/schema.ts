import { Type } from '../../infra/http/schema/type.ts'
import { object, oneOf } from '../../infra/http/schema/wire-schema.ts'
import { MATCHES } from '../../kernel/text/magic-value.ts'

export const MagicValueSchema = object('SandboxMagicValue', {
  object: Type.String({ description: 'What has the value.' }),
  field: Type.String({ description: 'The field of it that has the value.' }),
  match: oneOf(MATCHES, { description: 'How the field is compared with the value.' }),
  value: Type.String(),
  operation: Type.String({ description: 'The operation in which it takes effect, by its id.' }),
  effect: Type.String({ description: 'What the sandbox does.' }),
})

export const MagicValueListSchema = object('SandboxMagicValueList', {
  data: Type.Array(MagicValueSchema),
})
