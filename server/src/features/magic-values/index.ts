export { listMagicValues } from './list-magic-values.ts'
export { routes } from './routes.ts'
export { MagicValueSchema } from './schema.ts'
