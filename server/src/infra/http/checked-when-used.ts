import type { TSchema } from 'typebox'

/** A part that not every use of an operation looks at: it may hold anything until one does, and checks it then. */
export const checkedWhenUsed = <S extends TSchema>(schema: S): S => ({
  ...schema,
  'x-checked-when-used': true,
})
