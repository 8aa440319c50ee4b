import type { FastifyInstance } from 'fastify'

export type KnownRoutes = Readonly<{
  /** The methods of the route that a path belongs to; none: there is no such route. */
  methodsAt(url: string): readonly string[]
}>

type Route = Readonly<{ pattern: RegExp; parameters: number; methods: Set<string> }>

const SEGMENT = /:\w+/g

/** A parameter is one segment, a star the rest. */
const patternOf = (url: string): RegExp => {
  const source = url.replaceAll(/:\w+|[.*+?^${}()|[\]\\]/g, (part) => {
    if (part.startsWith(':')) return '[^/]*'
    return part === '*' ? '.*' : `\\${part}`
  })
  return new RegExp(`^${source}$`)
}

/**
 * The router keeps a tree for each method it was given routes for, and cannot be asked what other methods a path has.
 * So the patterns are gathered as they are added; to be called before the first.
 */
export function gatherRoutes(app: FastifyInstance): KnownRoutes {
  const routes = new Map<string, Route>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if ((config as { isRefused?: boolean } | undefined)?.isRefused) return
    const parameters = url.match(SEGMENT)?.length ?? 0
    const route = routes.get(url) ?? { pattern: patternOf(url), parameters, methods: new Set() }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })
  return {
    methodsAt(url) {
      const path = pathOf(url)
      const [closest] = [...routes.values()]
        .filter(({ pattern }) => pattern.test(path))
        .toSorted((a, b) => a.parameters - b.parameters)
      return [...(closest?.methods ?? [])]
    },
  }
}

/** As the router reads it; one that it cannot read has no route. */
function pathOf(url: string): string {
  try {
    return decodeURI(url.split('?')[0] ?? '')
  } catch {
    return ''
  }
}
