export { createToken, type CreatedToken } from './create-token.ts'
export { clientIdOf } from './wire.ts'
