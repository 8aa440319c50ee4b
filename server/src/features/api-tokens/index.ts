export { createToken } from './create-token.ts'
export { deleteToken } from './delete-token.ts'
export { routes } from './routes.ts'
export { clientIdOf } from './wire.ts'
