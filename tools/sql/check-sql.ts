/**
 * Holds every SQL statement of the service against the migrated schema: it is put together from its fragments, prepared
 * on a fresh database, and the type that its caller claims for a row compared with the columns. Part of `npm run check`.
 */
import { join, relative } from 'node:path'
import ts from 'typescript'
import { withMigratedDatabase } from './migrated-database.ts'
import { ACCEPTED_STATEMENTS } from './accepted-statements.ts'
import { checkStatements } from './check-statements.ts'

const root = join(import.meta.dirname, '../..')

function loadProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as {
    config: object
  }
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...config, include: ['server/src'] },
    ts.sys,
    root,
  )
  const host = ts.createCompilerHost(options)
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone
  return ts.createProgram(
    fileNames.filter((name) => !name.endsWith('.test.ts')),
    options,
    host,
  )
}

const report = await withMigratedDatabase((url) =>
  checkStatements(loadProgram(), url, ACCEPTED_STATEMENTS),
)
for (const { node, name, problem } of report.problems) {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  console.log(`${relative(root, file.fileName)}:${line + 1}  ${name}  ${problem}`)
}
for (const name of report.unused)
  console.log(`tools/sql/accepted-statements.ts  ${name}  is no problem`)
const { statements, claims, texts } = report
const count = report.problems.length + report.unused.length
console.log(
  `${statements} statements in ${texts} forms, ${claims} with a claimed row, ${count} problems`,
)
process.exitCode = count === 0 ? 0 : 1
