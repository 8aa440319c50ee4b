import type { TSchema } from 'typebox'

/** A part that not every use of an operation looks at: it may hold anything until one does, and checks it then. */
export const checkedWhenUsed = <S extends TSchema>(schema: S): S => ({
  ...schema,
  'x-checked-when-used': true,
})

/** Of the schema of a body: whatever is sent is taken, since it is the use that decides what is looked at. */
export const isCheckedWhenUsed = (schema: TSchema): boolean =>
  (schema as { 'x-checked-when-used'?: unknown })['x-checked-when-used'] === true
