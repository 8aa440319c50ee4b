import type { FastifyInstance } from 'fastify'

export type KnownRoutes = Readonly<{
  /** The methods of the route of a path; empty where there is no such route. */
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
 * Collects the patterns of routes as they are added, because the router cannot list the methods of a path. Call it before
 * the first route is added.
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

/** The path as the router decodes it; empty for one that it cannot decode. */
function pathOf(url: string): string {
  try {
    return decodeURI(url.split('?')[0] ?? '')
  } catch {
    return ''
  }
}
