import type { TSchema } from 'typebox'

/** Marks a part that not every use of an operation needs: it may have any value, and is checked when it is used. */
export const checkedWhenUsed = <S extends TSchema>(schema: S): S => ({
  ...schema,
  'x-checked-when-used': true,
})

/** Whether a schema accepts any value, because it is checked when it is used. */
export const isCheckedWhenUsed = (schema: TSchema): boolean =>
  (schema as { 'x-checked-when-used'?: unknown })['x-checked-when-used'] === true
