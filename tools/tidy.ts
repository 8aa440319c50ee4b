/**
 * The structural checks of the repository: directions, sizes, names and bans that no general linter knows.
 * It reports everything it finds, with the rule and the fix. There is no comment that silences it.
 */
import { fileURLToPath } from 'node:url'
import { checkProject, RULES } from './tidy/project/check-project.ts'
import { readProject } from './tidy/project/project.ts'
import { sizeDistribution } from './tidy/sizes.ts'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
const project = readProject(root)
const findings = checkProject(project)

for (const { file, line, rule, message } of findings) {
  console.log(`${file}:${line}  ${rule}  ${message}`)
}
if (findings.length > 0) console.log('')
for (const { name } of RULES) {
  const count = findings.filter(({ rule }) => rule === name).length
  if (count > 0) console.log(`${String(count).padStart(5)}  ${name}`)
}
for (const line of sizeDistribution(project)) console.log(line)
console.log(`tidy: ${findings.length} findings by ${RULES.length} rules`)
if (findings.length > 0) process.exitCode = 1
