import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { type Dependency, DependencyService } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { messageOf } from '../http/errors';
import { toasts } from '../ui/toasts';
import { dependenciesQuery } from './queries';

/** Removes a rule at once, restores it when that is refused, and offers an undo for a while. */
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

  const back = useAction(DependencyService.method.createDependency, {
    onDone: readAgain,
    onRefused: (error) => {
      readAgain();
      toasts.show('bad', messageOf(error, 'The rule could not be brought back.'));
    },
  });
  const remove = useAction(DependencyService.method.deleteDependency, {
    onDone: readAgain,
    onRefused: (error) => {
      readAgain();
      toasts.show('bad', messageOf(error, 'The rule could not be taken away.'));
    },
  });

  return (rule: Dependency) => {
    show(without(rule.id));
    remove.act({ businessId, dependencyId: rule.id });
    toasts.show('good', 'The rule is taken away.', {
      label: 'Undo',
      run: () => {
        show((rules) => [...without(rule.id)(rules), rule]);
        // It comes back under another id: only the server gives one.
        back.act({ businessId, dependency: { ...rule, id: '' } });
      },
    });
  };
}
