/**
 * Holds every regular expression of the service and the SDK against a ReDoS checker: one whose time grows faster than its
 * input lets a single request stop the process. Part of `npm run check`.
 */
import { join } from 'node:path'
import { ACCEPTED_REGEXES } from './accepted-regexes.ts'
import { checkRegexes } from './safe-regexes.ts'

const { count, problems } = await checkRegexes(join(import.meta.dirname, '../..'), ACCEPTED_REGEXES)
for (const problem of problems) console.log(problem)
console.log(`${count} regular expressions, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
