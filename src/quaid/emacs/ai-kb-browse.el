;;; ai-kb-browse.el --- Nodes found, opened and listed  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ai-kb-dashboard', `ai-kb-find-node', `ai-kb-show-node', `ai-kb-backlinks'.

;;; Code:

(require 'ai-kb-cli)
(require 'ai-kb-edit)
(require 'ai-kb-profile)
(require 'ai-kb-db)
(require 'button)

(declare-function ai-kb-remember "ai-kb-write")
(declare-function ai-kb-search "ai-kb-search")
(declare-function ai-kb-map "ai-kb-map")
(declare-function ai-kb-curate "ai-kb-curate")
(declare-function org-element-context "org-element")
(declare-function org-element-property "org-element")

(defconst ai-kb--uuid "[0-9A-Fa-f]\\{8\\}\\(?:-[0-9A-Fa-f]\\{4\\}\\)\\{3\\}-[0-9A-Fa-f]\\{12\\}"
  "The identity of a node.")

(defun ai-kb-open (path)
  "Open the node whose file is PATH, seen from the knowledge base."
  (ai-kb-look) ; what others have changed is read again without a question
  (find-file (expand-file-name path (ai-kb-root))))

(defun ai-kb-insert-node (node)
  "Insert NODE, an alist with title and path, as a button that opens it."
  (insert-text-button (alist-get 'title node)
                      'ai-kb-node node 'follow-link t
                      'help-echo (alist-get 'summary node)
                      'action (lambda (button)
                                (ai-kb-open (alist-get 'path (button-get button 'ai-kb-node))))))

;; Find

(defun ai-kb--candidates (nodes)
  "An alist of what is offered for NODES; titles that occur twice say which."
  (let ((seen (make-hash-table :test #'equal)))
    (dolist (node nodes)
      (puthash (alist-get 'title node) (1+ (gethash (alist-get 'title node) seen 0)) seen))
    (mapcar (lambda (node)
              (let ((title (alist-get 'title node)))
                (cons (if (> (gethash title seen) 1)
                          (format "%s (%s)" title (substring (alist-get 'id node) 0 8))
                        title)
                      node)))
            nodes)))

(defun ai-kb-read-node (prompt &optional nodes free)
  "Ask with PROMPT for one of NODES, all unless given; the answer is an alist.
With FREE, it may be a string that names none of them."
  (let* ((known (ai-kb--candidates (or nodes (alist-get 'nodes (ai-kb-ask "list")))))
         (completion-extra-properties
          `(:annotation-function
            ,(lambda (title)
               (let ((node (cdr (assoc title known))))
                 (concat "  " (propertize (or (alist-get 'summary node) "") 'face 'shadow)
                         (if (equal (alist-get 'status node) "current") ""
                           (concat "  " (alist-get 'status node))))))))
         (chosen (completing-read prompt known nil (not free))))
    (or (cdr (assoc chosen known)) (and free chosen))))

;;;###autoload
(defun ai-kb-find-node ()
  "Open a node by its title; a title that there is not is remembered."
  (interactive)
  (let ((node (ai-kb-read-node "Node: " nil t)))
    (cond ((consp node) (ai-kb-open (alist-get 'path node)))
          ((and (stringp node) (not (string-empty-p node))) (ai-kb-remember node)))))

;; What stands at point

(defun ai-kb-pointer-at-point ()
  "The identity of the node to which a pointer or a link at point leads, or nil."
  (or (and (button-at (point))
           (alist-get 'id (button-get (button-at (point)) 'ai-kb-node)))
      (save-excursion
        (let ((here (point)) (found nil))
          (beginning-of-line)
          (while (and (not found)
                      (re-search-forward
                       (concat "\\(?:ai-kb: [^\n]*?(\\(" ai-kb--uuid "\\))"
                               "\\|\\[\\[id:\\(" ai-kb--uuid "\\)\\]\\(?:\\[[^]]*\\]\\)?\\]\\)")
                       (line-end-position) t))
            (when (<= (match-beginning 0) here (match-end 0))
              (setq found (or (match-string 1) (match-string 2)))))
          found))))

;;;###autoload
(defun ai-kb-show-node (name)
  "Open the node of NAME: an ID, a title or `ai-kb: Title (ID)'.
Interactively, the pointer at point; without one, ask."
  (interactive (list (or (ai-kb-pointer-at-point) (alist-get 'id (ai-kb-read-node "Node: ")))))
  (ai-kb-open (alist-get 'path (ai-kb-ask "show" name))))

(defun ai-kb--id-here ()
  "The identity of the node in this buffer, or at point, or that is chosen."
  (or (ai-kb-pointer-at-point)
      (and (ai-kb-node-file-p buffer-file-name)
           (save-excursion
             (goto-char (point-min))
             (and (re-search-forward (concat "^[ \t]*:ID:[ \t]+\\(" ai-kb--uuid "\\)") nil t)
                  (match-string 1))))
      (alist-get 'id (ai-kb-read-node "Node: "))))

(define-derived-mode ai-kb-list-mode special-mode "ai-kb"
  "Nodes, each of which can be opened.")
(define-key ai-kb-list-mode-map (kbd "TAB") #'forward-button)
(define-key ai-kb-list-mode-map (kbd "<backtab>") #'backward-button)
(define-key ai-kb-list-mode-map "n" #'forward-button)
(define-key ai-kb-list-mode-map "p" #'backward-button)

;;;###autoload
(defun ai-kb-backlinks (id)
  "List the nodes that link to the node ID: the one at point, or of this buffer."
  (interactive (list (ai-kb--id-here)))
  (let* ((told (ai-kb-ask "backlinks" id))
         (links (alist-get 'backlinks told)))
    (if (null links)
        (message "Nothing links to it")
      (with-current-buffer (get-buffer-create "*ai-kb-backlinks*")
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert (format "What links to %s\n\n" (alist-get 'title told)))
          (dolist (link links)
            (ai-kb-insert-node link)
            (insert (format "  %s:%s  %s\n" (alist-get 'path link) (alist-get 'line link)
                            (or (alist-get 'label link) "")))))
        (ai-kb-list-mode)
        (goto-char (point-min))
        (forward-button 1 nil nil t)
        (pop-to-buffer (current-buffer))))))

;; The dashboard

(defvar ai-kb-dashboard-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map ai-kb-list-mode-map)
    (dolist (each '(("f" . ai-kb-find-node) ("s" . ai-kb-search) ("m" . ai-kb-map)
                    ("r" . ai-kb-remember) ("u" . ai-kb-curate) ("P" . ai-kb-push)
                    ("y" . ai-kb-sync) ("l" . ai-kb-lint) ("a" . ai-kb-switch)
                    ("A" . ai-kb-switch-back) ("D" . ai-kb-db-sync))
                  map)
      (define-key map (car each) (cdr each))))
  "Keys of the dashboard.")

(define-derived-mode ai-kb-dashboard-mode ai-kb-list-mode "ai-kb-dashboard"
  "How the knowledge base is, and what to do."
  (setq-local revert-buffer-function (lambda (&rest _) (ai-kb-dashboard-refresh))))

;;;###autoload
(defun ai-kb-dashboard ()
  "Show how the knowledge base is."
  (interactive)
  (with-current-buffer (get-buffer-create "*ai-kb*")
    (unless (derived-mode-p 'ai-kb-dashboard-mode)
      (ai-kb-dashboard-mode))
    (pop-to-buffer-same-window (current-buffer)))
  (ai-kb-dashboard-refresh))

(defun ai-kb-dashboard-refresh (&rest _)
  "Ask how the knowledge base is, and show it where the dashboard is open."
  (when (get-buffer "*ai-kb*")
    (ai-kb-tell
     (lambda (status)
       (ai-kb-tell (lambda (listed) (ai-kb--draw status (alist-get 'nodes listed))) "list"))
     "status")))

(defun ai-kb--state-rows (status)
  "What STATUS says, as names and texts; those that need a look have a third part."
  (let ((ahead (alist-get 'ahead status)) (pushed (alist-get 'push_failed status))
        (open (alist-get 'uncommitted status)) (remote (alist-get 'remote status)))
    `(("knowledge base" ,(alist-get 'root status))
      ("nodes" ,(format "%d" (alist-get 'nodes status)))
      ("remote" ,(if (string-empty-p (or remote "")) "none: nothing is backed up" remote)
       ,(string-empty-p (or remote "")))
      ("timer" ,(if (alist-get 'timer status) "syncs in the background" "none"))
      ("not pushed" ,(if (> ahead 0) (format "%d commits" ahead) "nothing") ,(> ahead 0))
      ,@(when (alist-get 'diverged status)
          '(("diverged" "`ai-kb resolve-divergence' brings both sides together" t)))
      ,@(unless (string-empty-p (or pushed "")) `(("push failed" ,pushed t)))
      ,@(when open `(("not committed" ,(string-join open ", ") t)))
      ,@(when ai-kb--failed
          `(("refused" ,(mapconcat (lambda (each) (file-name-nondirectory (car each)))
                                   ai-kb--failed ", ")
             t)))
      ("index" ,(if (alist-get 'index_stale status) "stale"
                  (concat "written " (alist-get 'indexed_at status)))
       ,(alist-get 'index_stale status))
      ("curation" ,(if (alist-get 'curation_due status) "due" "not due")
       ,(alist-get 'curation_due status))
      ("org-roam" ,(concat (if (ai-kb-switched-p) "here" "in your own notes")
                           (pcase ai-kb-db-state
                             ('syncing ", syncing the database")
                             ('fresh ", database in step")
                             ('failed ", the database could not be filled")))))))

(defun ai-kb--draw (status nodes)
  "Draw the dashboard of STATUS and NODES."
  (let ((buffer (get-buffer "*ai-kb*"))
        (by-id (mapcar (lambda (node) (cons (alist-get 'id node) node)) nodes)))
    (when buffer
      (with-current-buffer buffer
        (let ((inhibit-read-only t) (line (line-number-at-pos)))
          (erase-buffer)
          (insert (propertize "ai-kb" 'face 'bold) "\n\n")
          (dolist (row (ai-kb--state-rows status))
            (insert (format "%-16s" (car row))
                    (propertize (cadr row) 'face (if (nth 2 row) 'warning 'default)) "\n"))
          (ai-kb--section "Contested" (alist-get 'contested_ids status) by-id)
          (ai-kb--section "Recent" (alist-get 'recent status) by-id)
          (insert "\n" (substitute-command-keys
                        "\\<ai-kb-dashboard-mode-map>\\[ai-kb-find-node] find  \\[ai-kb-search] search  \\[ai-kb-map] map  \\[ai-kb-remember] remember  \\[ai-kb-curate] curate
\\[ai-kb-lint] lint  \\[ai-kb-sync] sync  \\[ai-kb-push] push  \\[ai-kb-switch]/\\[ai-kb-switch-back] org-roam here/back  \\[revert-buffer] refresh\n"))
          (goto-char (point-min))
          (forward-line (1- line)))))))

(defun ai-kb--section (title ids by-id)
  "Insert TITLE and the nodes of IDS, as the alist BY-ID has them."
  (when ids
    (insert "\n" (propertize title 'face 'bold) "\n")
    (dolist (id ids)
      (let ((node (cdr (assoc id by-id))))
        (when node
          (insert "  ")
          (ai-kb-insert-node node)
          (insert "  " (propertize (or (alist-get 'summary node) "") 'face 'shadow) "\n"))))))

(defun ai-kb--then-refresh (words what)
  "Run `ai-kb' with WORDS, say WHAT came of it, and draw the dashboard anew."
  (message "ai-kb: %s…" (car words))
  (apply #'ai-kb-tell
         (lambda (data)
           (message "ai-kb: %s" (or (alist-get 'message data) what))
           (ai-kb-look)
           (ai-kb-dashboard-refresh))
         words))

;;;###autoload
(defun ai-kb-sync ()
  "Fetch, and follow the remote where that needs no merge."
  (interactive)
  (ai-kb--then-refresh '("sync") "done"))

;;;###autoload
(defun ai-kb-push ()
  "Push what is committed."
  (interactive)
  (ai-kb--then-refresh '("push") "pushed"))

;;;###autoload
(defun ai-kb-lint ()
  "Check all nodes, and list what was found."
  (interactive)
  (ai-kb-tell
   (lambda (data)
     (let ((found (cl-remove-if-not (lambda (each) (alist-get 'blocks each))
                                    (alist-get 'findings data))))
       (if (null found)
           (message "ai-kb: nodes are sound")
         (let ((ai-kb--failed `((,(ai-kb-root) . ,found))))
           (ai-kb--show-findings)))))
   "lint"))

(add-hook 'ai-kb-commit-hook #'ai-kb-dashboard-refresh)
(add-hook 'ai-kb-files-changed-hook #'ai-kb-dashboard-refresh)

(provide 'ai-kb-browse)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-browse.el ends here
