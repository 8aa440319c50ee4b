import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export type Found = Readonly<{ place: string; source: string; flags: string }>

const FOLDERS = ['server/src', 'sdk/src']

/** Where one may begin, as the formatter writes it: parsing every file takes seconds. */
const MAY_BEGIN = /(?:^|[\s([{!,;:=?&|>])\/(?![/*])/m

/** Every regular expression of the service and the SDK, by how it is written; each with one of its places. */
export function findRegexes(root: string): Map<string, Found> {
  const files = FOLDERS.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,js}`, { cwd: root, exclude: (path) => /\.test\.ts$/.test(path) }),
  ).sort()
  return new Map(
    files
      .flatMap((file) => regexesIn(root, file))
      .map((found) => [`/${found.source}/${found.flags}`, found]),
  )
}

function regexesIn(root: string, file: string): Found[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (!MAY_BEGIN.test(text)) return []
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      const end = node.text.lastIndexOf('/')
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)]
      found.push({ place: `${file}:${line + 1}`, source, flags })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}
