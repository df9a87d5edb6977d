import type { Plugin } from 'vite';

/** Modules without side effects that the bundler can't recognise as such. */
const SILENT = /\/node_modules\/hoist-non-react-statics\//;

/** Assignments of `displayName`: each would keep its component in the build, used or not. */
const DISPLAY_NAME = /^[\w$]+\.displayName = ".*";$/gm;
const COMPONENT = /= (React\d*\.(?:forwardRef|createContext|memo)\()/g;

/** Links prefetch pages only in the router's framework mode. */
const PREFETCH = /return shouldPrefetch && !isAbsolute \? .* : link;/;

/** `export var E; (function (E) { … })(E || (E = {}));` */
const ENUM = /^export var (\w+);\n\(function \(\1\) \{\n([\s\S]*?)^\}\)\(\1 \|\| \(\1 = \{\}\)\);$/gm;

/** Marks libraries' definitions as free of side effects, so that the bundler drops the unused ones. */
export function pureModules(): Plugin {
  return {
    name: 'frontdesk-pure-modules',
    apply: 'build',
    transform(code, id) {
      if (SILENT.test(id)) return { code, moduleSideEffects: false };
      if (/\/react-router\/dist\/production\/.*\.mjs$/.test(id))
        return code
          .replace(DISPLAY_NAME, '')
          .replace(COMPONENT, '= /*#__PURE__*/ $1')
          .replace(PREFETCH, 'return link;');
      if (/\/@bufbuild\/protobuf\/dist\/esm\/.*_pb\.js$/.test(id))
        return code.replace(
          ENUM,
          (_, name: string, body: string) =>
            `export var ${name} = /*#__PURE__*/ (function (${name}) {\n${body}return ${name};\n})({});`,
        );
      return undefined;
    },
  };
}
