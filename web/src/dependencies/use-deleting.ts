import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { intend, useAction } from '../api/action';
import { takingBack } from '../business/taking-back';
import { type Dependency, DependencyService } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { messageOf } from '../http/errors';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { dependenciesQuery } from './queries';

/** Removes a rule at once, restores it when that is refused, and offers an undo. */
export function useDeleting(businessId: string) {
  const queries = useQueryClient();
  const { queryKey } = dependenciesQuery(businessId);
  const show = (change: (rules: Dependency[]) => Dependency[]) => {
    void queries.cancelQueries({ queryKey });
    queries.setQueryData(
      queryKey,
      (before) => before && { ...before, dependencies: change(before.dependencies) },
    );
  };
  const readAgain = () => void queries.invalidateQueries({ queryKey });
  const without = (id: string) => (rules: Dependency[]) => rules.filter((rule) => rule.id !== id);

  const removed = useRef(new Map<string, Dependency>());
  const takeBack = (rule: Dependency) =>
    takingBack(
      (key) => {
        show((rules) => [...without(rule.id)(rules), rule]);
        // It comes back under another id: only the server gives one.
        const dependency = { ...rule, id: '' };
        return intend(DependencyService.method.createDependency, { businessId, dependency }, key);
      },
      'The rule applies again.',
      readAgain,
    );
  const remove = useAction(DependencyService.method.deleteDependency, {
    onDone: (_, { dependencyId = '' }) => {
      readAgain();
      const rule = removed.current.get(dependencyId);
      toasts.show('good', 'The rule is taken away.', rule && undos.push(takeBack(rule)));
    },
    onRefused: (error) => {
      readAgain();
      toasts.show('bad', messageOf(error, 'The rule could not be taken away.'));
    },
  });

  return (rule: Dependency) => {
    removed.current.set(rule.id, rule);
    show(without(rule.id));
    remove.act({ businessId, dependencyId: rule.id });
  };
}
