import type { TSchema } from './type.ts'

/** Marks a part that not every use of an operation needs: it is validated only when it is used. */
export const checkedWhenUsed = <S extends TSchema>(schema: S): S => ({
  ...schema,
  'x-checked-when-used': true,
})

/** Whether the edge accepts any value for a schema, because the operation validates it when it uses it. */
export const isCheckedWhenUsed = (schema: TSchema): boolean =>
  (schema as { 'x-checked-when-used'?: unknown })['x-checked-when-used'] === true
