export { bankNamesFor } from './list-institutions.ts'
export { routes } from './routes.ts'
export { VASP_NAMES } from './vasps.ts'
