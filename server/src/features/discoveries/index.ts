export { bankNamesFor } from './list-institutions.ts'
export { VASP_NAMES } from './vasps.ts'
