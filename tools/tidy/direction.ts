import { featureTier, layerRank, mayImportLayer } from './tiers.ts'
import { importGraph, type Import, type ImportGraph } from './project/imports.ts'
import { featureOf, isCode, isServerSource, isTest, layerOf } from './project/places.ts'
import type { Project } from './project/project.ts'
import type { ProjectRule, Spot } from './project/rule.ts'

/** Rules about who may import whom. Tests stand outside: they may reach for anything. */
export const directionRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'import-direction',
    fix: 'import only the own layer and lower ones (tools/tidy/tiers.ts); send effects upwards through app/reactions.ts',
    check: (project) => everyImport(project, breaksDirection),
  },
  {
    kind: 'project',
    name: 'feature-tier',
    fix: 'import only features of a lower tier (tools/tidy/tiers.ts); move what both need down, or use a reaction',
    check: (project) => everyImport(project, breaksTier),
  },
  {
    kind: 'project',
    name: 'feature-door',
    fix: 'import another feature only through its index.ts or lists.ts, and add there what is missing',
    check: (project) => everyImport(project, bypassesIndex),
  },
  {
    kind: 'project',
    name: 'unknown-place',
    fix: 'give the folder a place in tools/tidy/tiers.ts, or move the file into one that has one',
    check: unknownPlaces,
  },
  {
    kind: 'project',
    name: 'import-cycle',
    fix: 'move what both sides need into a file that imports neither',
    check: (project) => cycles(importGraph(project)),
  },
]

function* everyImport(
  project: Project,
  verdict: (one: Import) => string | undefined,
): Generator<Spot> {
  for (const imports of importGraph(project).values()) {
    for (const one of imports) {
      if (isTest(one.from) || !isCode(one.to)) continue
      const detail = verdict(one)
      if (detail !== undefined) yield { file: one.from, line: one.line, detail }
    }
  }
}

const packageOf = (path: string): string => path.split('/')[0] ?? ''

function breaksDirection({ from, to }: Import): string | undefined {
  if (isServerSource(from)) {
    // The program `florin` has the commands of both; nothing else of the service knows its clients.
    if (layerOf(from) === 'bin' && to === 'cli/client.ts') return undefined
    if (!isServerSource(to)) return `the service imports ${to}, which is not part of it`
    const [importer, imported] = [layerOf(from), layerOf(to)]
    if (importer === undefined || imported === undefined) return undefined
    return mayImportLayer({ importer, imported }) ? undefined : `${importer} imports ${imported}`
  }
  const isClient = ['sdk', 'dashboard', 'examples', 'cli'].includes(packageOf(from))
  return isClient && packageOf(to) === 'server' ? `${packageOf(from)} imports ${to}` : undefined
}

function otherFeature({ from, to }: Import): { own: string; other: string } | undefined {
  const [own, other] = [featureOf(from), featureOf(to)]
  return own === undefined || other === undefined || own === other ? undefined : { own, other }
}

function breaksTier(one: Import): string | undefined {
  const features = otherFeature(one)
  if (features === undefined) return undefined
  const [own, other] = [featureTier(features.own), featureTier(features.other)]
  if (own === undefined || other === undefined || own > other) return undefined
  return `${features.own} (tier ${own}) imports ${features.other} (tier ${other})`
}

function bypassesIndex(one: Import): string | undefined {
  const features = otherFeature(one)
  if (features === undefined) return undefined
  const door = `server/src/features/${features.other}/`
  return [`${door}index.ts`, `${door}lists.ts`].includes(one.to) ? undefined : one.to
}

function* unknownPlaces({ code }: Project): Generator<Spot> {
  for (const file of code.keys()) {
    if (!file.startsWith('server/src/')) continue
    const [layer, feature] = [layerOf(file), featureOf(file)]
    const isKnown =
      layer === 'features'
        ? feature !== undefined && featureTier(feature) !== undefined
        : layer !== undefined && layerRank(layer) !== undefined
    if (!isKnown) yield { file, line: 1 }
  }
}

/** One finding for every knot of files that reach each other, with its shortest round as the evidence. */
function* cycles(graph: ImportGraph): Generator<Spot> {
  for (const knot of knots(graph)) {
    const first = [...knot].sort()[0] ?? ''
    const round = shortestRound(graph, knot, first)
    const line = graph.get(first)?.find(({ to }) => to === round[1])?.line ?? 1
    const rest = knot.size > round.length - 1 ? ` (${knot.size} files are tangled)` : ''
    yield { file: first, line, detail: round.join(' → ') + rest }
  }
}

const targets = (graph: ImportGraph, file: string): string[] =>
  (graph.get(file) ?? []).map(({ to }) => to).filter((to) => graph.has(to))

/** Tarjan's strongly connected components, those with a cycle only. */
function knots(graph: ImportGraph): Set<string>[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const found: Set<string>[] = []
  const lower = (file: string, to: number): void =>
    void low.set(file, Math.min(low.get(file) ?? to, to))

  const enter = (file: string): void => {
    const number = order.size
    order.set(file, number)
    low.set(file, number)
    open.push(file)
    isOpen.add(file)
    for (const to of targets(graph, file)) {
      if (!order.has(to)) {
        enter(to)
        lower(file, low.get(to) ?? number)
      } else if (isOpen.has(to)) lower(file, order.get(to) ?? number)
    }
    if (low.get(file) !== number) return
    const knot = new Set(open.splice(open.indexOf(file)))
    for (const member of knot) isOpen.delete(member)
    if (knot.size > 1 || targets(graph, file).includes(file)) found.push(knot)
  }
  for (const file of graph.keys()) if (!order.has(file)) enter(file)
  return found
}

function shortestRound(graph: ImportGraph, knot: Set<string>, start: string): string[] {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const to of targets(graph, file)) {
      if (!knot.has(to) || (cameFrom.has(to) && to !== start)) continue
      if (to !== start) {
        cameFrom.set(to, file)
        queue.push(to)
        continue
      }
      const back = [start, file]
      for (let at = file; at !== start; back.push(at)) at = cameFrom.get(at) ?? start
      return file === start ? [start, start] : back.reverse()
    }
  }
  return [start]
}
