;;; profile-tests.el --- org-roam in the knowledge base, and back, exactly  -*- lexical-binding: t; -*-

;;; Code:

(require 'helper)
(require 'org)
(require 'org-capture)
(require 'org-id)

(defvar test-log nil "What personal functions have done.")
(defun test-copy-todo-to-today () "Stand in for a completed-task hook." (push 'daily test-log))
(defun test-add-to-agenda () "Stand in for an agenda hook." (push 'agenda test-log))
(defun test-find-recipe () "Stand in for a find wrapper." (interactive) (push 'recipe test-log) 'recipe)
(defun test-own () "Run instead of it." (interactive) 'own)
(defvar test-topic "personal" "A variable of the person's own.")

(defun test-personal ()
  "Set a personal configuration up."
  (setq test-log nil
        org-roam-directory "/home/me/roam/"
        org-roam-db-location "/home/me/roam.db"
        org-roam-file-exclude-regexp "data/"
        org-roam-dailies-directory "journal/"
        org-roam-capture-templates '(("p" "personal" plain "%?"))
        org-id-locations-file "/home/me/ids"
        org-agenda-files '("/home/me/todo.org")
        org-refile-targets '((nil :maxlevel . 2))
        org-after-todo-state-change-hook '(test-copy-todo-to-today)
        org-capture-after-finalize-hook (list #'test-add-to-agenda (lambda () (push 'lambda test-log)))
        ai-kb-database (expand-file-name "roam-ai.db" (getenv "HOME")))
  (add-to-list 'ai-kb-profile-variables '(test-topic . "kb"))
  (add-to-list 'ai-kb-profile-commands '(test-find-recipe . test-own)))

(defvar org-roam-directory)
(defvar org-roam-db-location)
(defvar org-roam-file-exclude-regexp)
(defvar org-roam-dailies-directory)
(defvar org-roam-capture-templates)

(defun test-snapshot ()
  "All that the profile may touch, as it is now."
  (list (mapcar (lambda (each) (and (boundp (car each)) (symbol-value (car each)))) ai-kb-profile-variables)
        (mapcar (lambda (each) (and (boundp each) (symbol-value each))) ai-kb-profile-hooks)
        (symbol-function 'test-find-recipe)
        (and (fboundp 'org-roam-dailies-goto-today) (symbol-function 'org-roam-dailies-goto-today))
        kill-emacs-hook))

(defun test-mark-done ()
  "Finish a task, as a person does."
  (with-temp-buffer
    (delay-mode-hooks (org-mode))
    (insert "* TODO Something\n")
    (goto-char (point-min))
    (org-todo "DONE")))

(ert-deftest profile-is-installed-and-restored-exactly ()
  (require 'org-roam nil t)
  (require 'org-roam-dailies nil t)
  (test-personal)
  (let ((before (test-snapshot)))
    (cl-letf (((symbol-function 'ai-kb-db-sync) #'ignore))
      (ai-kb-switch)
      (ai-kb-switch))
    (should (ai-kb-switched-p))
    (should (equal org-roam-directory (ai-kb-root)))
    (should (equal org-roam-db-location ai-kb-database))
    (should (equal test-topic "kb"))
    (should-not (equal org-id-locations-file "/home/me/ids"))
    (should-not (assoc "p" org-roam-capture-templates))
    (should (eq (call-interactively #'test-find-recipe) 'own))
    (when (fboundp 'org-roam-dailies-goto-today)
      (should-error (call-interactively #'org-roam-dailies-goto-today) :type 'user-error))
    (test-mark-done)
    (run-hooks 'org-capture-after-finalize-hook)
    (push "/kb/x.org" org-agenda-files)
    (should-not test-log)
    (ai-kb-switch-back)
    (should-not (ai-kb-switched-p))
    (should (equal (test-snapshot) before))
    (should (eq (call-interactively #'test-find-recipe) 'recipe))
    (test-mark-done)
    (run-hooks 'org-capture-after-finalize-hook)
    (should (equal test-log '(lambda agenda daily recipe)))
    (should-not (directory-files ai-kb-state-directory nil "switched"))))

(ert-deftest profile-hooks-that-come-while-switched-stay ()
  (test-personal)
  (cl-letf (((symbol-function 'ai-kb-db-sync) #'ignore))
    (ai-kb-switch))
  (add-hook 'org-after-todo-state-change-hook #'ignore)
  (ai-kb-switch-back)
  (should (equal org-after-todo-state-change-hook '(ignore test-copy-todo-to-today))))

(ert-deftest profile-is-left-after-a-crash ()
  (test-personal)
  (let ((templates org-roam-capture-templates))
    (cl-letf (((symbol-function 'ai-kb-db-sync) #'ignore))
      (ai-kb-switch))
    ;; The Emacs is killed; the next one has carried over what was saved of it.
    (rename-file (ai-kb--note-file (emacs-pid)) (ai-kb--note-file 999999999))
    (mapc #'ai-kb--restore (cl-remove 'command ai-kb--personal :key #'car :test-not #'eq))
    (setq ai-kb--personal nil)
    (should (equal org-roam-directory (ai-kb-root)))
    (setq org-agenda-files '("/home/me/new.org"))
    (ai-kb-assert-personal)
    (should (equal org-roam-directory "/home/me/roam/"))
    (should (equal org-roam-capture-templates templates))
    (should (equal org-agenda-files '("/home/me/new.org")))
    (should (memq #'test-copy-todo-to-today org-after-todo-state-change-hook))
    (should-not (directory-files ai-kb-state-directory nil "switched"))))

(ert-deftest profile-of-another-running-emacs-is-left-alone ()
  (make-directory ai-kb-state-directory t)
  (let ((note (ai-kb--note-file 1)))
    (with-temp-file note (prin1 `((variable test-topic "other" ,test-topic)) (current-buffer)))
    (ai-kb-assert-personal)
    (should (file-exists-p note))
    (should-not (equal test-topic "other"))
    (delete-file note)))

(ert-deftest profile-what-is-no-node-is-excluded-by-both-versions ()
  (let ((regexp (ai-kb-exclude-regexp)))
    (dolist (path '("raw/x.org" "sub/raw/x.org" "index.org" "index-more.org" "README.org" "AGENT_CONTRACT.org"))
      (should (string-match-p regexp path))
      (should (string-match-p regexp (concat (ai-kb-root) path))))
    (dolist (path '("20260101-raw.org" "sub/README.org" "data/x.org" "my-index.org" "draw/x.org"))
      (should-not (string-match-p regexp path))
      (should-not (string-match-p regexp (concat (ai-kb-root) path))))
    (let ((ai-kb-directory "/data/raw/index.org-files/kb/"))
      (should-not (string-match-p (ai-kb-exclude-regexp) "/data/raw/index.org-files/kb/x.org"))
      (should (string-match-p (ai-kb-exclude-regexp) "/data/raw/index.org-files/kb/raw/x.org")))))

(ert-deftest profile-org-roam-sees-the-nodes-and-syncs-only-when-stale ()
  (skip-unless (require 'org-roam nil t))
  (test-personal)
  (let ((node (test-node "Seen by org-roam")))
    (unwind-protect
        (progn
          (ai-kb-switch)
          (should (eq ai-kb-db-state 'syncing))
          (test-eventually (not (eq ai-kb-db-state 'syncing)))
          (should (eq ai-kb-db-state 'fresh))
          (should (equal (mapcar #'org-roam-node-title (org-roam-node-list)) '("Seen by org-roam")))
          (should (equal (org-roam-node-id (car (org-roam-node-list))) (alist-get 'id node)))
          (ai-kb-db-sync)
          (should-not (process-live-p ai-kb--db-process))
          (test-node "Comes later")
          (should (ai-kb-db-stale-p))
          (ai-kb-db-sync)
          (test-eventually (not (eq ai-kb-db-state 'syncing)))
          (should (equal (length (org-roam-node-list)) 2))
          (should-not (ai-kb-db-stale-p)))
      (ai-kb-switch-back))))

(declare-function org-roam-node-list "ext:org-roam-node")
(declare-function org-roam-node-title "ext:org-roam-node")
(declare-function org-roam-node-id "ext:org-roam-node")

;;; profile-tests.el ends here
